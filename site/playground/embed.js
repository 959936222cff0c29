// Keeps embedded playgrounds as high as they are and in the page's colours, and links them to the whole one.
// <iframe class="penstock" sandbox="allow-scripts" loading="lazy" src="playground.html#embed&limit=..." title="..."></iframe>
(() => {
  const frames = () => [...document.querySelectorAll("iframe.penstock")];
  addEventListener("message", ({ source, data }) => {
    const frame = frames().find((each) => each.contentWindow === source);
    if (!frame || data?.penstock !== "state") return;
    frame.style.height = `${Math.min(4000, Math.max(200, Number(data.height) || 0))}px`;
    let link = frame.nextElementSibling;
    if (!link?.classList.contains("penstock-whole")) {
      link = Object.assign(document.createElement("a"), { className: "penstock-whole", textContent: "Open it in the playground" });
      frame.after(link);
    }
    link.href = `${frame.src.split("#")[0]}#${data.state}`;
  });
  // A page with a switch calls this: penstockTheme("dark").
  globalThis.penstockTheme = (theme) => frames().forEach((each) => each.contentWindow.postMessage({ penstock: "show", theme }, "*"));
})();

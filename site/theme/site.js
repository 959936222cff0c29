// Code blocks between <!-- tabs --> and <!-- /tabs --> become tabs, one for each language; the choice is kept. On a code host they are blocks.
const NAMES = { java: "Java", python: "Python", js: "Node.js", go: "Go", rust: "Rust", ruby: "Ruby", php: "PHP", csharp: ".NET", elixir: "Elixir" };
const CHOICE = "language";

function languageOf(block) {
  const classes = [...block.classList, ...(block.querySelector("code")?.classList ?? [])];
  return classes.find((name) => name.startsWith("language-"))?.slice("language-".length) ?? "text";
}

function choose(language) {
  for (const tab of document.querySelectorAll(".language-tabs [role=tab]")) {
    const tabs = [...tab.parentNode.children];
    const chosen = tabs.find((each) => each.dataset.language === language) ?? tabs[0];
    tab.setAttribute("aria-selected", tab === chosen);
    tab.tabIndex = tab === chosen ? 0 : -1;
    document.getElementById(tab.getAttribute("aria-controls")).hidden = tab !== chosen;
  }
}

function makeTabs(start, group) {
  const blocks = [];
  for (let node = start.nextSibling; node && node.data?.trim() !== "/tabs"; node = node.nextSibling) if (node.nodeType === 1) blocks.push(node);
  const [box, list] = [document.createElement("div"), document.createElement("div")];
  box.className = "language-tabs";
  list.setAttribute("role", "tablist");
  list.setAttribute("aria-label", "Language");
  start.replaceWith(box);
  box.append(list, ...blocks);
  blocks.forEach((block, at) => {
    const [tab, language] = [document.createElement("button"), languageOf(block)];
    block.id ||= `tabs-${group}-${at}`;
    block.setAttribute("role", "tabpanel");
    block.setAttribute("aria-label", NAMES[language] ?? language);
    tab.setAttribute("role", "tab");
    tab.setAttribute("aria-controls", block.id);
    tab.dataset.language = language;
    tab.textContent = NAMES[language] ?? language;
    tab.onclick = () => {
      choose(language);
      try {
        localStorage.setItem(CHOICE, language);
      } catch {} // Where nothing can be kept, the choice is this page's.
    };
    list.append(tab);
  });
  list.onkeydown = ({ key }) => {
    const [tabs, step] = [[...list.children], { ArrowRight: 1, ArrowLeft: -1 }[key]];
    if (!step) return;
    const tab = tabs[(tabs.indexOf(document.activeElement) + step + tabs.length) % tabs.length];
    tab.focus();
    tab.click();
  };
}

function start() {
  const comments = document.createTreeWalker(document.body, NodeFilter.SHOW_COMMENT);
  const starts = [];
  while (comments.nextNode()) if (comments.currentNode.data.trim() === "tabs") starts.push(comments.currentNode);
  starts.forEach(makeTabs);
  let kept;
  try {
    kept = localStorage.getItem(CHOICE);
  } catch {}
  choose(kept);
  // Embedded playgrounds have the page's colours: each is told when it first says its state, and all when the reader switches.
  const theme = () => (document.body.dataset.mdColorScheme === "slate" ? "dark" : "light");
  const told = new WeakSet();
  new MutationObserver(() => globalThis.penstockTheme?.(theme())).observe(document.body, { attributeFilter: ["data-md-color-scheme"] });
  addEventListener("message", ({ source, data }) => {
    if (data?.penstock !== "state" || told.has(source)) return;
    told.add(source);
    source.postMessage({ penstock: "show", theme: theme() }, "*");
  });
  if (location.protocol === "file:") {
    const note = document.createElement("p");
    note.className = "from-disk";
    note.textContent = "This copy was opened from a disk: the selector of versions needs a web server, such as python3 -m http.server.";
    document.querySelector("footer").prepend(note);
  }
}

document.readyState === "loading" ? addEventListener("DOMContentLoaded", start) : start();

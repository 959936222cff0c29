// A page that was opened from a disk cannot start a worker. The search's runs in a hidden frame then.
if (location.protocol === "file:") {
  window.Worker = class {
    #waiting = [];
    #frame = document.createElement("iframe");

    constructor(url) {
      this.#frame.hidden = true;
      this.#frame.title = "Search";
      this.#frame.onload = () => {
        const inner = this.#frame.contentWindow;
        // Not at once: a worker's messages never arrive while their sender runs.
        inner.postMessage = (data) => setTimeout(() => this.onmessage?.(new MessageEvent("message", { data })));
        const script = inner.document.createElement("script");
        script.src = url;
        script.onload = () => {
          this.postMessage = (data) => setTimeout(() => inner.dispatchEvent(new MessageEvent("message", { data })));
          this.#waiting.forEach((data) => this.postMessage(data));
        };
        inner.document.head.append(script);
      };
      document.documentElement.append(this.#frame);
    }

    postMessage(data) {
      this.#waiting.push(data);
    }

    terminate() {
      this.#frame.remove();
    }
  };
}

// A page that was opened from a disk cannot start a worker. The search's runs in a hidden frame then.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    #waiting = [];
    #frame = document.createElement("iframe");

    constructor(url) {
      super();
      this.#frame.hidden = true;
      this.#frame.title = "Search";
      this.#frame.onload = () => {
        const inner = this.#frame.contentWindow;
        inner.postMessage = (data) => {
          const event = new MessageEvent("message", { data });
          this.dispatchEvent(event);
          this.onmessage?.(event);
        };
        const script = inner.document.createElement("script");
        script.src = url;
        script.onload = () => {
          this.postMessage = (data) => inner.dispatchEvent(new MessageEvent("message", { data }));
          this.#waiting.forEach(this.postMessage);
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

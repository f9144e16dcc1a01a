// What the terminal of xterm.js needs from its page: where to connect, a font that is there, and somebody who says
// why a visit has ended.

const end = document.getElementById("end");
const again = document.getElementById("again");
const terminal = document.getElementById("terminal");

// As large as the address says (?fontsize=20), or as lets the sixty columns that duelbox needs fit.
const asked = Number(new URLSearchParams(location.search).get("fontsize"));
const fitting = Math.max(8, Math.min(16, Math.floor(innerWidth / 60 / 0.61)));
terminal.dataset.fontSize = asked >= 6 && asked <= 60 ? asked : fitting;
terminal.dataset.sessionWebsocketUrl = new URL("line", location.href).href.replace(/^http/, "ws");
again.onclick = () => location.reload();

// Keys for fingers, on screens that are touched; the terminal keeps the focus, and no keyboard rises.
let line;
for (const button of document.querySelectorAll("#keys button")) {
  button.onpointerdown = (event) => event.preventDefault();
  button.onclick = () => line?.send(JSON.stringify(["stdin", button.dataset.key]));
}

// The terminal keeps its line to itself; so listen as it is opened.
window.WebSocket = class extends WebSocket {
  constructor(...where) {
    super(...where);
    line = this;
    this.addEventListener("open", () => terminal.querySelector("textarea").focus());
    this.addEventListener("close", (event) => {
      document.getElementById("why").textContent =
        event.reason || "The line to duelbox was cut. Every game is kept.";
      end.hidden = false;
      again.focus();
    });
  }

  send(what) {
    if (this.readyState === WebSocket.OPEN) {
      super.send(what);
    }
  }
};

// Outside https and this machine browsers have no clipboard to write to, other than what is selected. Nobody may read it
// but by pasting.
const { clipboard } = navigator;
const copy = clipboard
  ? (text) => clipboard.writeText(text)
  : async (text) => {
      const field = document.createElement("textarea");
      field.value = text;
      const before = document.activeElement;
      document.body.append(field);
      field.select();
      document.execCommand("copy");
      field.remove();
      before?.focus();
    };
Object.defineProperty(navigator, "clipboard", { value: { writeText: copy, readText: async () => "" } });

// Cells are measured once, so the font has to be there first. The terminal begins when its page has loaded, which is past.
window.addEventListener("load", async () => {
  const fonts = ["16px", "bold 16px"].map((font) => document.fonts.load(`${font} "Roboto Mono"`, "A"));
  await Promise.allSettled(fonts);
  const script = document.createElement("script");
  script.src = "xterm.js";
  script.onload = () => window.onload();
  document.head.append(script);
});

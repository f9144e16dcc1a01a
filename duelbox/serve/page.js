// The page around xterm.js: it tells the terminal where to connect, loads its font, and says why a visit has ended.

const end = document.getElementById("end");
const again = document.getElementById("again");
const terminal = document.getElementById("terminal");

// The font size from the address (?fontsize=20), or the largest that leaves room for the 60 columns duelbox needs.
const asked = Number(new URLSearchParams(location.search).get("fontsize"));
const fitting = Math.max(8, Math.min(16, Math.floor(innerWidth / 60 / 0.61)));
terminal.dataset.fontSize = asked >= 6 && asked <= 60 ? asked : fitting;
terminal.dataset.sessionWebsocketUrl = new URL("line", location.href).href.replace(/^http/, "ws");
again.onclick = () => location.reload();

// Buttons for touch screens; the terminal keeps the focus, so that no keyboard opens.
let line;
for (const button of document.querySelectorAll("#keys button")) {
  button.onpointerdown = (event) => event.preventDefault();
  button.onclick = () => line?.send(JSON.stringify(["stdin", button.dataset.key]));
}

// The terminal hides its websocket, so it is caught when it opens.
window.WebSocket = class extends WebSocket {
  constructor(...where) {
    super(...where);
    line = this;
    let opened = false;
    this.addEventListener("open", () => {
      opened = true;
      terminal.querySelector("textarea").focus();
    });
    this.addEventListener("close", (event) => {
      document.getElementById("why").textContent = event.reason || whyCut(opened);
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

// Without https, or on another machine, browsers let a page copy only its selection. Reading the clipboard is
// never allowed: players paste.
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

// Cells are measured once, so the font must be loaded first. The terminal starts at the load event, which is past.
window.addEventListener("load", async () => {
  const fonts = ["16px", "bold 16px"].map((font) => document.fonts.load(`${font} "Roboto Mono"`, "A"));
  await Promise.allSettled(fonts);
  const script = document.createElement("script");
  script.src = "xterm.js";
  script.onload = () => window.onload();
  document.head.append(script);
});

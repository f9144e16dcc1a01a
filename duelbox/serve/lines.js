// A game in lines of text: the output of duelbox is added to a log, which screen readers read out as it grows.

const log = document.getElementById("log");
const typed = document.getElementById("typed");
const game = new URLSearchParams(location.search).get("game");
const CLEARED = "\x1b[3J";

if (game) {
  document.querySelector("nav ul").hidden = true;
  const where = new URL("line", location.href);
  where.search = new URLSearchParams({ lines: game, width: 80, height: 24 });
  const line = new WebSocket(where.href.replace(/^http/, "ws"));
  line.binaryType = "arraybuffer";
  const decoder = new TextDecoder();
  const write = (text) => {
    // Clears the log before another player may look at a hidden hand.
    const kept = text.split(CLEARED);
    if (kept.length > 1) {
      log.replaceChildren();
    }
    const plain = kept.at(-1).replace(/\x1b\[[0-9;?]*[A-Za-z]/g, "").replace(/[\x00-\x08\x0b-\x1f]/g, "");
    log.append(plain);
    log.scrollIntoView({ block: "end" });
  };
  line.onmessage = (event) => typeof event.data !== "string" && write(decoder.decode(event.data, { stream: true }));
  let opened = false;
  line.onopen = () => {
    opened = true;
    typed.focus();
  };
  line.onclose = (event) => write(`\n${event.reason || whyCut(opened)}\n`);
  document.getElementById("says").onsubmit = (event) => {
    event.preventDefault();
    write(`${typed.value}\n`);
    line.send(JSON.stringify(["stdin", `${typed.value}\n`]));
    typed.value = "";
  };
}

// The page of a table: a socket, a board, a move list and the buttons around them.
import { Board, narrow, shape } from "/static/board.js";
import { byId, fill, say } from "/static/texts.js";

const page = byId("table");
const names = JSON.parse(page.dataset.names);
const GONE = [4403, 4404]; // the server says: do not come back
const PACES = [2400, 1200, 600, 250, 0]; // milliseconds between moves of others

let socket = null;
let wait = 250; // until the next try to connect
let now = null; // the position on the board
let queue = []; // messages that wait for their turn
let isBusy = false;
let isPaused = false;

const board = new Board(byId("board"), {
  onMove: (action) => send({ kind: "move", step: now.step, action }),
  onPreview: (words) => { byId("preview").textContent = words; },
});

function connect() {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  socket = new WebSocket(`${scheme}://${location.host}/table/${page.dataset.id}/socket?shape=${shape()}`);
  socket.onmessage = (event) => hear(JSON.parse(event.data));
  socket.onopen = () => {
    wait = 250;
    queue = [];
    complain("");
    const judge = byId("judge")?.value;
    if (judge) send({ kind: "bar", agent: judge });
  };
  socket.onclose = (event) => {
    if (GONE.includes(event.code)) return;
    complain(say("lost"));
    setTimeout(connect, wait);
    wait = Math.min(wait * 2, 5000);
  };
}

function send(message) {
  if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
}

function hear(message) {
  if (message.kind === "error") {
    complain(message.text);
    if (now) show({ ...now, lines: [], anew: false }, true); // what was picked is offered again
    return;
  }
  queue.push(message);
  if (!isBusy) showNext();
}

// Messages are shown in order, new positions at the chosen pace; one's own move and a fresh page at once.
function showNext() {
  const message = queue.shift();
  if (!message) {
    isBusy = false;
    askForMore();
    return;
  }
  isBusy = true;
  const isNews = message.kind === "position" && message.step !== now?.step && !message.anew;
  SHOW[message.kind](message);
  const others = queue.some(({ kind }) => kind === "position") || message.next;
  setTimeout(showNext, isNews && others ? pace() : 0);
}

const SHOW = {
  position: (message) => show(message, message.step === now?.step && !message.anew),
  pass: askToPass,
  hint: showHint,
  bar: showBar,
};

const pace = () => PACES[Number(byId("speed").value)];

// Without people at the table it is the page that asks for each move.
function askForMore() {
  if (now?.next && !isPaused) send({ kind: "next", step: now.step });
}

function show(message, isQuiet) {
  now = message;
  byId("pass").hidden = true;
  board.show({ ...message, quiet: isQuiet || message.anew });
  byId("board").setAttribute("aria-busy", "false");
  byId("status").textContent = [message.status, message.asks].filter(Boolean).join(" ");
  byId("status").dataset.result = message.wins;
  document.title = (message.moves.length ? "● " : "") + document.title.replace(/^● /, "");
  if (!isQuiet) {
    complain("");
    byId("advice")?.replaceChildren();
  }
  listMoves(message);
  listLegal(message);
  showPractice(message.practice);
  showDice(message.dice);
  byId("after").hidden = !message.over;
  for (const id of ["back", "resign", "hint", "typed", "pause", "step"]) {
    if (byId(id)) byId(id).disabled = message.over;
  }
}

function listMoves({ lines, anew }) {
  const list = byId("moves");
  if (anew) list.replaceChildren();
  for (const line of lines) list.append(moveItem(line));
  if (lines.length) list.scrollTop = list.scrollHeight;
}

function moveItem({ step, seat, move, words }) {
  const item = document.createElement("li");
  const head = document.createElement("b");
  head.textContent = step ? [`${step}.`, names[seat], move].filter(Boolean).join(" ") : say("deal");
  const told = document.createElement("span");
  told.textContent = words.map((told) => (/[.!?…]$/.test(told) ? told : `${told}.`)).join(" ");
  item.append(head, " ", told);
  return item;
}

function listLegal({ moves }) {
  const list = byId("legal");
  if (!list) return;
  list.replaceChildren(...moves.map(([, text]) => Object.assign(document.createElement("option"), { value: text })));
}

function showPractice(reasons) {
  byId("practice").hidden = reasons.length === 0;
  byId("practice").textContent = say("practice", { reasons: reasons.join(", ") });
}

function showDice({ fingerprint, secret, seed }) {
  const box = byId("dice");
  const { before, after, typed } = box.dataset;
  const code = Object.assign(document.createElement("code"), { textContent: fingerprint });
  box.replaceChildren(...(fingerprint ? [before, " ", code] : [typed]));
  if (secret) box.append(" ", fill(after, { secret, seed }));
}

function complain(words) {
  byId("error").hidden = !words;
  byId("error").textContent = words;
}

function askToPass({ seat, text }) {
  now = null;
  byId("board").replaceChildren();
  byId("moves").replaceChildren();
  byId("bar").hidden = true; // what the one before was told is not for the next
  byId("advice")?.replaceChildren();
  byId("status").textContent = text;
  byId("pass-text").textContent = text;
  byId("pass").hidden = false;
  byId("pass-ready").focus();
  byId("pass-ready").onclick = () => send({ kind: "look", seat });
}

function showHint({ step, agent, moves }) {
  if (!now || step !== now.step) return;
  const told = moves.map(({ text, chance }) => `${text} (${Math.round(100 * chance)} %)`).join(", ");
  byId("advice").textContent = say("hint", { agent, moves: told });
  board.advise(moves.map(({ path }) => path));
}

function showBar({ agent, shares }) {
  const bar = byId("bar");
  bar.hidden = false;
  bar.setAttribute("aria-label", shares.map((share, seat) => `${names[seat]}: ${Math.round(100 * share)} %`).join(", "));
  bar.replaceChildren(...shares.map((share, seat) => {
    const part = document.createElement("span");
    part.className = `share share-${seat}`;
    part.style.flexGrow = share;
    part.textContent = share > 0.12 ? `${Math.round(100 * share)} %` : "";
    part.title = `${names[seat]}, ${agent}`;
    return part;
  }));
}

// buttons

byId("type")?.addEventListener("submit", (event) => {
  event.preventDefault();
  const text = byId("typed").value.trim();
  if (text && now) send({ kind: "type", step: now.step, text });
  byId("typed").value = "";
});
byId("back")?.addEventListener("click", () => { queue = []; send({ kind: "back" }); });
byId("resign")?.addEventListener("click", ({ target }) => {
  if (confirm(target.dataset.sure)) send({ kind: "resign" });
});
byId("hint")?.addEventListener("click", () => send({ kind: "hint", agent: byId("hinter").value }));
byId("judge")?.addEventListener("change", ({ target }) => {
  byId("bar").hidden = true;
  send({ kind: "bar", agent: target.value });
});
byId("pause")?.addEventListener("click", ({ target }) => {
  isPaused = !isPaused;
  target.textContent = isPaused ? target.dataset.go : target.dataset.pause;
  if (!isBusy) askForMore();
});
byId("step")?.addEventListener("click", () => {
  if (!isPaused) byId("pause").click();
  if (now?.next) send({ kind: "next", step: now.step });
});
narrow.addEventListener("change", () => send({ kind: "shape", shape: shape() }));

// the pace is kept in this browser

const speed = byId("speed");
function showPace() {
  const text = byId("speed-text");
  text.textContent = pace() ? `${pace() / 1000} s` : text.dataset.instant;
}
try { speed.value = localStorage.getItem("ludens-pace") ?? speed.value; } catch { /* a private window */ }
speed.addEventListener("input", () => {
  try { localStorage.setItem("ludens-pace", speed.value); } catch { /* as above */ }
  showPace();
});
showPace();
connect();

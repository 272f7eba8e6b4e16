// The page of a table: a socket, a board, a move list and the buttons around them.
import { Board, narrow, shape } from "/static/board.js";
import { byId, fill, say } from "/static/texts.js";

const page = byId("table");
const names = JSON.parse(page.dataset.names);
const mine = JSON.parse(page.dataset.mine); // the seats that are moved from here
const GONE = [4403, 4404]; // the server says: do not come back
const PACES = [2400, 1200, 600, 250, 0]; // milliseconds between moves of others
const WAITS = [1000, 2000, 4000, 5000]; // milliseconds until the next tries to connect
const PATIENCE = 4; // positions that may wait before they are shown faster: a turn can be twenty moves long
const LEAST_WATCHING = 60; // milliseconds between requests for the next move: the server takes 20 messages a second

let socket = null;
let tries = 0; // to connect, in vain
let retry = 0; // the timer of the next
let now = null; // the position on the board
let closed = 0; // why the last connection ended
let queue = []; // messages that wait for their turn
let isBusy = false;
let shownAt = -Infinity; // when the last new position was
let isPaused = false;
let last = null; // the newest line of the move list

const board = new Board(byId("board"), {
  onMove: (action) => send({ kind: "move", step: now.step, action }),
  onPreview: (words) => { byId("preview").textContent = words; },
  onHalf: (picked) => showStatus(picked && say("half", { picked })),
});

function connect() {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  socket = new WebSocket(`${scheme}://${location.host}/table/${page.dataset.id}/socket?shape=${shape()}`);
  socket.onmessage = (event) => hear(JSON.parse(event.data));
  socket.onopen = () => {
    tries = 0;
    queue = [];
    complain("");
    const judge = byId("judge")?.value;
    if (judge) send({ kind: "bar", agent: judge });
  };
  socket.onclose = (event) => {
    closed = event.code;
    if (GONE.includes(event.code)) return;
    lose();
    retry = setTimeout(connect, WAITS[Math.min(tries, WAITS.length - 1)]);
    tries += 1;
  };
}

// Nothing can be played now: the board stays to be looked at, and nobody is told that it is his turn.
function lose() {
  queue = [];
  complain(say("lost"));
  board.freeze();
  if (!now?.over) showStatus(say("lost"));
}

// The network is back, or somebody looks at the page again: why wait?
function hurry() {
  if (socket.readyState !== WebSocket.CLOSED || document.hidden || GONE.includes(closed)) return;
  clearTimeout(retry);
  connect();
}

function send(message) {
  if (socket.readyState !== WebSocket.OPEN) return;
  complain(""); // it was about an earlier try
  socket.send(JSON.stringify(message));
}

function hear(message) {
  if (message.kind === "error") {
    complain(message.text);
    if (now) show({ ...now, lines: [], anew: false }, true); // what was picked is offered again
    return;
  }
  if (message.anew) queue = []; // it tells everything from the deal on
  queue.push(message);
  if (message.stopped) catchUp(); // nobody waits for moves of a game that is given up
  showWaiting();
  if (!isBusy) showNext();
}

// What waits is shown at once: the newest position, with all that was told on the way to it.
function catchUp() {
  const seen = queue.filter(({ kind }) => kind === "position");
  if (seen.length === 0) return;
  const lines = seen.flatMap((message) => message.lines);
  const others = queue.filter(({ kind }) => kind !== "position");
  queue = [{ ...seen.at(-1), lines, anew: seen[0].anew, isHasty: true }, ...others];
}

function showWaiting() {
  if (byId("skip")) byId("skip").disabled = !queue.some(isOfOthers);
}

// Messages are shown in order, new positions at the chosen pace; one's own move and a fresh page at once.
function showNext() {
  isBusy = queue.length > 0;
  if (!isBusy) return askForMore();
  const early = isOfOthers(queue[0]) ? shownAt + pace() / Math.max(1, queue.length / PATIENCE) - performance.now() : 0;
  if (early > 0) return setTimeout(showNext, Math.min(early, 100)); // the pace may be changed meanwhile
  const message = queue.shift();
  if (isNews(message)) shownAt = performance.now();
  SHOW[message.kind](message);
  showWaiting();
  return setTimeout(showNext, message.next ? Math.max(pace(), LEAST_WATCHING) : 0);
}

const isNews = ({ kind, step, anew }) => kind === "position" && step !== now?.step && !anew;
const isOfOthers = (message) => isNews(message) && !message.isHasty && !mine.includes(message.lines.at(-1)?.seat);

const SHOW = {
  position: (message) => {
    complain("");
    show(message, message.step === now?.step && !message.anew);
  },
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
  last = message.lines.at(-1) ?? last;
  byId("pass").hidden = true;
  board.show({ ...message, quiet: isQuiet || message.anew });
  byId("board").setAttribute("aria-busy", "false");
  showStatus();
  byId("status").dataset.result = message.wins;
  document.title = (message.moves.length ? "● " : "") + document.title.replace(/^● /, "");
  if (!isQuiet || message.over) byId("advice")?.replaceChildren();
  listMoves(message);
  if (!isQuiet && !message.anew) byId("told").textContent = toldBy(message.lines.at(-1)?.words ?? []);
  listLegal(message);
  showPractice(message.practice);
  showDice(message.dice);
  byId("after").hidden = !message.over;
  disable(message.over);
}

// Whose turn it is and what is asked, or other words instead; while others move, what they just did.
function showStatus(words = "") {
  const asked = words || [now?.status, now?.asks].filter(Boolean).join(" ");
  const isTold = !words && now && !now.over && !now.moves.length && last?.words.length && !mine.includes(last.seat);
  const box = byId("status");
  box.classList.toggle("telling", Boolean(isTold));
  if (!isTold) return void box.replaceChildren(asked);
  const line = (className, textContent) => Object.assign(document.createElement("span"), { className, textContent });
  const told = line("story", toldBy(last.words));
  told.setAttribute("aria-hidden", "true"); // it is read out where it is told
  return void box.replaceChildren(told, " ", line("asked", asked));
}

function disable(isOff) {
  for (const id of ["back", "resign", "hint", "typed", "pause", "step"]) {
    if (byId(id)) byId(id).disabled = isOff;
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
  told.textContent = toldBy(words);
  item.append(head, " ", told);
  return item;
}

const toldBy = (words) => words.map((told) => (/[.!?…]$/.test(told) ? told : `${told}.`)).join(" ");

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
  now = last = null;
  board.clear();
  byId("moves").replaceChildren();
  hideBar(); // what the one before was told is not for the next
  disable(true); // whose turn it would be to resign is not said
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
  if (byId("judge").value !== agent) return; // it was turned off meanwhile
  const bar = byId("bar");
  bar.hidden = byId("judged").hidden = false;
  byId("judged").textContent = `${byId("judged").dataset.by}: ${agent}`;
  bar.setAttribute("aria-label", shares.map((share, seat) => `${names[seat]}: ${Math.round(100 * share)} %`).join(", "));
  bar.replaceChildren(...shares.map((share, seat) => {
    const part = document.createElement("span");
    const look = board.lookOf(seat);
    part.className = look ? "share own" : `share share-${seat}`;
    if (look) part.style.setProperty("--share", look.colour);
    part.style.flexGrow = share;
    const sign = look ? `${look.sign} ` : "";
    part.textContent = share > 0.12 ? `${sign}${Math.round(100 * share)} % ${names[seat]}` : share > 0.03 ? sign : "";
    part.title = `${names[seat]}, ${agent}`;
    return part;
  }));
}

function hideBar() {
  byId("bar").hidden = byId("judged").hidden = true;
}

// buttons

byId("type")?.addEventListener("submit", (event) => {
  event.preventDefault();
  const text = byId("typed").value.trim();
  if (text && now) send({ kind: "type", step: now.step, text });
  byId("typed").value = "";
});
byId("back")?.addEventListener("click", () => send({ kind: "back" }));
byId("resign")?.addEventListener("click", ({ target }) => {
  if (confirm(target.dataset.sure)) send({ kind: "resign" });
});
byId("skip")?.addEventListener("click", () => {
  catchUp();
  showWaiting();
});
byId("hint")?.addEventListener("click", () => send({ kind: "hint", agent: byId("hinter").value }));
byId("judge")?.addEventListener("change", ({ target }) => {
  hideBar();
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
  text.textContent = pace() ? `${(pace() / 1000).toLocaleString(document.documentElement.lang)} s` : text.dataset.instant;
}
try { speed.value = localStorage.getItem("ludens-pace") ?? speed.value; } catch { /* a private window */ }
speed.addEventListener("input", () => {
  try { localStorage.setItem("ludens-pace", speed.value); } catch { /* as above */ }
  showPace();
});
showPace();
connect();
addEventListener("online", hurry);
addEventListener("offline", () => { lose(); socket.close(); });
document.addEventListener("visibilitychange", hurry);

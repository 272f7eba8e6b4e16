// The page of a table: its socket, board, move list and buttons.
import { Board, narrow, shape } from "/static/board.js";
import { byId, fill, say } from "/static/texts.js";

const page = byId("table");
const names = JSON.parse(page.dataset.names);
const mine = JSON.parse(page.dataset.mine); // the seats this visitor plays
const GONE = [4403, 4404]; // close codes after which the page does not reconnect
const PACES = [2400, 1200, 600, 250, 0]; // milliseconds between moves of others, for each value of the slider
const WAITS = [1000, 2000, 4000, 5000]; // milliseconds before the first, second, ... attempt to reconnect
const PATIENCE = 4; // with more positions waiting they are shown faster: a turn can have twenty moves
const LEAST_WATCHING = 60; // milliseconds between requests for the next move: the server takes 20 messages a second

let socket = null;
let tries = 0; // failed attempts to connect
let retry = 0; // timer of the next attempt
let now = null; // the position on the board
let closed = 0; // close code of the last connection
let queue = []; // messages not shown yet
let isBusy = false;
let shownAt = -Infinity; // when the last new position was shown
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

// The connection is lost: the board stays visible, but nothing can be played and the status says so.
function lose() {
  queue = [];
  complain(say("lost"));
  board.freeze();
  if (!now?.over) showStatus(say("lost"));
}

// The network is back, or the page is visible again: reconnect at once.
function hurry() {
  if (socket.readyState !== WebSocket.CLOSED || document.hidden || GONE.includes(closed)) return;
  clearTimeout(retry);
  connect();
}

function send(message) {
  if (socket.readyState !== WebSocket.OPEN) return;
  complain(""); // the message was about an earlier attempt
  socket.send(JSON.stringify(message));
}

function hear(message) {
  if (message.kind === "error") {
    complain(message.text);
    if (now) show({ ...now, lines: [], anew: false }, true); // offer the picked move again
    return;
  }
  if (message.anew) queue = []; // it has the whole move list
  queue.push(message);
  if (message.stopped) catchUp(); // the game was resigned or failed: do not show the waiting moves one by one
  showWaiting();
  if (!isBusy) showNext();
}

// Replace the waiting positions by the newest one, with the move list lines of all.
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

// Show the waiting messages in order: moves of others at the chosen pace, own moves and a newly loaded page at once.
function showNext() {
  isBusy = queue.length > 0;
  if (!isBusy) return askForMore();
  const early = isOfOthers(queue[0]) ? shownAt + pace() / Math.max(1, queue.length / PATIENCE) - performance.now() : 0;
  if (early > 0) return setTimeout(showNext, Math.min(early, 100)); // check again soon: the pace may be changed meanwhile
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

// At a table without people, ask for the next move.
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

// Show whose turn it is and what is asked, or ``words`` instead; while others move, also what they just did.
function showStatus(words = "") {
  const asked = words || [now?.status, now?.asks].filter(Boolean).join(" ");
  const isTold = !words && now && !now.over && !now.moves.length && last?.words.length && !mine.includes(last.seat);
  const box = byId("status");
  box.classList.toggle("telling", Boolean(isTold));
  if (!isTold) return void box.replaceChildren(asked);
  const line = (className, textContent) => Object.assign(document.createElement("span"), { className, textContent });
  const told = line("story", toldBy(last.words));
  told.setAttribute("aria-hidden", "true"); // screen readers get it from #ui-told
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
  hideBar(); // the win bar was for the previous player
  disable(true); // nobody can act until the device has been passed on
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
  if (byId("judge").value !== agent) return; // another choice was made meanwhile
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

// the pace, stored in this browser

const speed = byId("speed");
function showPace() {
  const text = byId("speed-text");
  text.textContent = pace() ? `${(pace() / 1000).toLocaleString(document.documentElement.lang)} s` : text.dataset.instant;
}
try { speed.value = localStorage.getItem("ludens-pace") ?? speed.value; } catch { /* no storage in a private window */ }
speed.addEventListener("input", () => {
  try { localStorage.setItem("ludens-pace", speed.value); } catch { /* as above */ }
  showPace();
});
showPace();
connect();
addEventListener("online", hurry);
addEventListener("offline", () => { lose(); socket.close(); });
document.addEventListener("visibilitychange", hurry);

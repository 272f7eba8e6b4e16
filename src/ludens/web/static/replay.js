// The page of a replay: a slider over positions, keys, automatic play, and the graph of an agent's values.
import { Board, narrow, shape } from "/static/board.js";
import { byId, say } from "/static/texts.js";

const page = byId("replay");
const steps = Number(page.dataset.steps);
const PACE = Math.max(250, Math.min(1100, 120_000 / steps)); // milliseconds per move, about two minutes for a long game
const { key, seat } = page.dataset;
const board = new Board(byId("board"));
const positions = new Map();
let step = Number(page.dataset.step);
let timer = null;

async function position(number) {
  const name = `${shape()} ${number}`;
  if (!positions.has(name)) {
    const answer = await ask(`position.json?seat=${seat}&step=${number}&shape=${shape()}`);
    if (answer.error) return answer;
    positions.set(name, answer);
  }
  return positions.get(name);
}

// The server's answer as an object; { error: message } also if the server does not answer.
async function ask(what) {
  try {
    return await (await fetch(`${key}/${what}`)).json();
  } catch {
    return { error: say("away") };
  }
}

function complain(words = "") {
  byId("error").hidden = !words;
  byId("error").textContent = words;
}

async function go(number, isQuiet = false) {
  step = Math.max(0, Math.min(steps, number));
  byId("scrubber").value = step;
  byId("at").textContent = `${step} / ${steps}`;
  byId("from").value = step;
  markLine();
  markGraph();
  const wanted = step;
  const found = await position(wanted);
  if (wanted !== step) return; // another position was chosen meanwhile
  complain(found.error);
  if (found.error) return;
  board.show({ svg: found.svg, marks: found.marks, quiet: isQuiet });
  history.replaceState(null, "", `${key}?seat=${seat}&step=${step}`);
}

function markLine() {
  for (const item of byId("moves").children) item.removeAttribute("aria-current");
  const item = byId("moves").children[step];
  item.setAttribute("aria-current", "step");
  byId("moves").scrollTop = item.offsetTop - byId("moves").offsetTop - byId("moves").clientHeight / 2;
  byId("status").textContent = [...item.querySelectorAll("b, span")].map((part) => part.textContent).filter(Boolean).join(": ");
}

function play(isPlaying) {
  clearInterval(timer);
  timer = isPlaying ? setInterval(() => (step < steps ? go(step + 1) : play(false)), PACE) : null;
  byId("play").textContent = isPlaying ? byId("play").dataset.pause : byId("play").dataset.play;
}

byId("first").addEventListener("click", () => go(0));
byId("prev").addEventListener("click", () => go(step - 1));
byId("next").addEventListener("click", () => go(step + 1));
byId("last").addEventListener("click", () => go(steps));
byId("play").addEventListener("click", () => {
  if (step === steps && !timer) go(0);
  play(!timer);
});
byId("scrubber").addEventListener("input", ({ target }) => { play(false); go(Number(target.value)); });
byId("moves").addEventListener("click", (event) => {
  const link = event.target.closest("a[data-step]");
  if (!link) return;
  event.preventDefault();
  play(false);
  go(Number(link.dataset.step));
});
byId("seat").addEventListener("change", ({ target }) => {
  location.href = `${key}?seat=${target.value}&step=${step}`;
});
document.addEventListener("keydown", (event) => {
  if (event.target.matches("input, select, textarea")) return;
  const to = { ArrowLeft: step - 1, ArrowRight: step + 1, Home: 0, End: steps }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  play(false);
  go(to);
});
narrow.addEventListener("change", () => go(step, true));

// the graph

const SVG = "http://www.w3.org/2000/svg";
const WIDTH = 600, HEIGHT = 160, PAD = 8;
let values = [];

function make(name, attributes) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

const across = (number) => PAD + ((WIDTH - 2 * PAD) * number) / Math.max(steps, 1);
const up = (share) => PAD + (HEIGHT - 2 * PAD) * (1 - share);

function drawGraph() {
  const svg = make("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "board" });
  svg.append(make("rect", { class: "panel", width: WIDTH, height: HEIGHT, rx: 6 }));
  const even = 1 / (values[0]?.length ?? 2);
  svg.append(make("line", { class: "even", x1: PAD, x2: WIDTH - PAD, y1: up(even), y2: up(even) }));
  for (let seatNumber = 0; seatNumber < (values[0]?.length ?? 0); seatNumber++) {
    const points = values.map((row, number) => `${across(number)},${up(row[seatNumber])}`).join(" ");
    const look = board.lookOf(seatNumber);
    if (look) svg.append(make("polyline", { class: "curve below", points })); // a dark line below, so that light colours can be seen
    const curve = make("polyline", { class: `curve curve-${seatNumber}`, points });
    if (look) curve.style.stroke = look.colour;
    svg.append(curve);
  }
  svg.append(make("line", { class: "cursor", y1: PAD, y2: HEIGHT - PAD, x1: 0, x2: 0 }));
  svg.addEventListener("click", (event) => {
    const box = svg.getBoundingClientRect();
    go(Math.round(((event.clientX - box.x) / box.width * WIDTH - PAD) / (WIDTH - 2 * PAD) * steps));
  });
  byId("graph").replaceChildren(svg, legend());
  byId("graph").hidden = false;
  markGraph();
}

function legend() {
  const list = Object.assign(document.createElement("p"), { className: "legend" });
  JSON.parse(byId("graph").dataset.names).forEach((name, number) => {
    const look = board.lookOf(number);
    const item = Object.assign(document.createElement("span"), { className: `key key-${number}` });
    item.textContent = look ? `${look.sign}: ${name}` : name;
    if (look) item.style.setProperty("--key", look.colour);
    list.append(item);
  });
  return list;
}

function markGraph() {
  const cursor = byId("graph")?.querySelector(".cursor");
  cursor?.setAttribute("x1", across(step));
  cursor?.setAttribute("x2", across(step));
}

// Values are requested in parts, so that the graph grows while the agent evaluates.
byId("draw")?.addEventListener("click", async ({ target }) => {
  target.disabled = true;
  values = [];
  const agent = encodeURIComponent(byId("judge").value);
  while (values.length <= steps) {
    const piece = await ask(`values.json?agent=${agent}&seat=${seat}&step=${values.length}`);
    complain(piece.error);
    if (!piece.shares?.length) break;
    values.push(...piece.shares);
    byId("progress").textContent = say("graph", { done: values.length, total: steps + 1 });
    drawGraph();
  }
  target.disabled = false;
});

go(step, true);

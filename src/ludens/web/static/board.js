// A board to play on, for any game. It gets a picture (SVG whose elements have ids) and, for every legal move, the path
// of ids to pick. It offers what can be picked next and calls onMove when a path is complete.
import { Zoom } from "/static/zoom.js";

const still = matchMedia("(prefers-reduced-motion: reduce)");
const MARGIN = 8; // pixels between the window's edge and what is scrolled into it
const ECHO = 500; // milliseconds in which a second click on what was just played is ignored
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Board {
  // box: the element to draw in; onMove(action): a path is complete; onPreview(words): the move a pick would make;
  // onHalf(words): what was picked of a path that is not complete, '' if nothing
  constructor(box, { onMove = () => {}, onPreview = () => {}, onHalf = () => {} } = {}) {
    this.box = box;
    this.onMove = onMove;
    this.onPreview = onPreview;
    this.onHalf = onHalf;
    this.moves = [];
    this.picked = [];
    this.lost = null; // the id of the element that lost the keyboard focus
    this.played = []; // the path of the last move played on this board
    this.trail = null; // ids that get the focus after it, the preferred first
    this.isAnswer = false; // whether the next position follows that move
    this.since = -Infinity; // when the position was shown
    this.zoom = new Zoom(box);
    box.addEventListener("click", (event) => this.clicked(event));
    box.addEventListener("keydown", (event) => this.pressed(event));
    document.addEventListener("keydown", (event) => this.called(event));
    for (const kind of ["pointerover", "focusin"]) box.addEventListener(kind, (event) => this.preview(event.target));
    for (const kind of ["pointerleave", "focusout"]) box.addEventListener(kind, () => this.preview(null));
  }

  // Show a position: its picture, its moves [action, text, path], the ids the last move touched (marks), whether to skip
  // animations (quiet), whether the game is over.
  show({ svg, moves = [], marks = [], quiet = false, over = false }) {
    const focused = this.box.contains(document.activeElement) ? document.activeElement.id : this.kept();
    const before = this.places();
    const parsed = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
    const flier = marks.length > 1 ? this.element(marks[0])?.cloneNode(true) : null;
    const from = marks.length > 1 ? before.get(marks[0]) : null;
    parsed.removeAttribute("role"); // else screen readers take it for one image without buttons
    this.box.replaceChildren(document.importNode(parsed, true));
    this.zoom.renew();
    this.moves = moves;
    this.picked = [];
    this.since = performance.now();
    this.box.classList.toggle("asleep", moves.length === 0);
    this.box.classList.toggle("closed", over);
    for (const id of marks) this.element(id)?.classList.add("last");
    if (!quiet && !still.matches) this.morph(before, flier, from, marks);
    this.offer();
    this.zoom.follow();
    if (this.isAnswer) this.trail.unshift(...marks);
    this.isAnswer = false;
    if (focused !== null) this.comeBack(focused);
    this.lost = focused !== null && !this.box.contains(document.activeElement) ? focused : null;
  }

  // Remove the picture and the zoom, before another person looks at the screen.
  clear() {
    this.box.replaceChildren();
    this.zoom.reset();
    this.moves = [];
    this.picked = [];
    this.played = []; // that was another person's move
  }

  // Keep the picture, but let nothing be picked until the next position.
  freeze() {
    if (this.box.contains(document.activeElement)) this.lost = document.activeElement.id;
    this.moves = [];
    this.picked = [];
    this.box.classList.add("asleep");
    this.offer();
  }

  // The id whose element had the focus before there was nothing to pick; null if the focus is elsewhere by now.
  kept() {
    return document.activeElement === document.body ? this.lost : null;
  }

  // Focus the element that had the focus; after an own move an element it touched, so that Enter does not repeat it.
  comeBack(focused) {
    this.focusOn(...(this.trail ?? [focused]));
    if (this.box.contains(document.activeElement)) this.trail = null;
  }

  element(id) {
    return this.box.querySelector(`[id="${CSS.escape(id)}"]`);
  }

  // The place on the screen of each element with an id.
  places() {
    const found = new Map();
    for (const element of this.box.querySelectorAll("svg [id]")) {
      if (!element.closest("defs")) found.set(element.id, element.getBoundingClientRect());
    }
    return found;
  }

  // Animate the change: pieces in both pictures slide, new elements fade in, the moved piece flies to its goal.
  morph(before, flier, from, marks) {
    if (before.size === 0) return;
    for (const element of this.box.querySelectorAll("svg [id]")) {
      if (element.closest("defs")) continue;
      const old = before.get(element.id);
      const now = element.getBoundingClientRect();
      if (!old) {
        element.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 250 });
      } else if (Math.hypot(old.x - now.x, old.y - now.y) > 2 && element.classList.contains("piece")) {
        const scale = element.parentNode.getScreenCTM().a; // a part of the board may be zoomed
        const shift = `translate(${(old.x - now.x) / scale}px, ${(old.y - now.y) / scale}px)`;
        element.animate([{ transform: shift }, { transform: "none" }], { duration: 300, easing: "ease-out", composite: "add" });
      }
    }
    const goal = this.element(marks.at(-1) ?? "")?.getBoundingClientRect();
    if (flier && from && goal) this.fly(flier, from, goal);
  }

  scale() {
    const svg = this.box.querySelector("svg");
    return svg.viewBox.baseVal.width ? svg.getBoundingClientRect().width / svg.viewBox.baseVal.width : 1;
  }

  fly(flier, from, goal) {
    const svg = this.box.querySelector("svg");
    const scale = this.scale();
    flier.removeAttribute("id");
    for (const inner of flier.querySelectorAll("[id]")) inner.removeAttribute("id");
    flier.setAttribute("class", "flier");
    flier.setAttribute("aria-hidden", "true");
    svg.append(flier);
    const at = flier.getBoundingClientRect(); // outside its group it may be drawn elsewhere
    const move = (x, y) => `translate(${x / scale}px, ${y / scale}px)`;
    const start = move(from.x - at.x, from.y - at.y);
    const end = move(goal.x + goal.width / 2 - at.x - at.width / 2, goal.y + goal.height / 2 - at.y - at.height / 2);
    const keys = [{ transform: start, opacity: 1 }, { transform: end, opacity: 0.9 }];
    const flight = flier.animate(keys, { duration: 420, easing: "ease-in-out", composite: "add" });
    flight.onfinish = flight.oncancel = () => flier.remove();
  }

  // The ids that can be picked now: the next step of every path that begins with the picked ids, each with its move.
  next() {
    const depth = this.picked.length;
    const fitting = this.moves.filter(([, , path]) => this.picked.every((id, i) => path[i] === id));
    return new Map(fitting.map((move) => [move[2][depth], move]));
  }

  offer() {
    const next = this.next();
    for (const element of this.box.querySelectorAll(".can-pick, .picked")) {
      element.classList.remove("can-pick", "picked");
      for (const name of ["tabindex", "role", "aria-label", "aria-pressed"]) element.removeAttribute(name);
    }
    for (const element of this.box.querySelectorAll(".with")) element.classList.remove("with");
    this.box.classList.toggle("half", this.picked.length > 0);
    for (const id of next.keys()) {
      this.offerOne(this.element(id), "can-pick");
      for (const part of this.partsOf(id)) part.classList.add("with");
    }
    for (const id of this.picked) this.offerOne(this.element(id), "picked");
    this.onPreview(this.words(null));
    this.onHalf(next.size ? this.picked.map((id) => this.element(id)?.dataset.name ?? this.label(id)).join(" → ") : "");
  }

  offerOne(element, kind) {
    if (!element) return;
    element.classList.add(kind);
    element.setAttribute("tabindex", "0");
    element.setAttribute("role", "button");
    element.setAttribute("aria-label", element.querySelector(":scope > title")?.textContent ?? element.id);
    if (kind === "picked") element.setAttribute("aria-pressed", "true");
  }

  // Elements drawn elsewhere in the picture that belong to this one.
  partsOf(id) {
    return this.box.querySelectorAll(`[data-with="${CSS.escape(id)}"]`);
  }

  // The element around an event's target that can be picked or unpicked, else null.
  pickable(target) {
    const found = target?.closest?.(".can-pick, .picked");
    return found && this.box.contains(found) ? found : null;
  }

  clicked(event) {
    const element = this.pickable(event.target);
    if (element) return this.pick(element.id);
    const isBegun = this.begin(event.target.closest?.("svg [id]")?.id);
    if (!isBegun && this.picked.length) { // a click beside all elements cancels the picks
      this.picked = [];
      this.offer();
    }
    return undefined;
  }

  // If a path begins with this id, drop what is picked and pick it; returns whether one does.
  begin(id) {
    if (!id || !this.moves.some(([, , path]) => path[0] === id)) return false;
    if (this.isEcho(id)) return true;
    this.picked = [];
    this.pick(id);
    return true;
  }

  // Whether a pick repeats the move just played, too soon for anybody to have seen the new position.
  isEcho(id) {
    return this.played.length === 1 && this.played[0] === id && performance.now() - this.since < ECHO;
  }

  pick(id) {
    const at = this.picked.indexOf(id);
    if (at >= 0) {
      this.picked = this.picked.slice(0, at);
      this.offer();
      return this.focusOn(id);
    }
    if (!this.next().has(id) || this.isEcho(id)) return undefined;
    this.picked.push(id);
    const done = this.moves.find(([, , path]) => path.length === this.picked.length && path.every((p, i) => p === this.picked[i]));
    if (done) {
      this.moves = [];
      this.played = done[2];
      this.trail = done[2].length > 1 ? [...done[2]].reverse() : [];
      this.isAnswer = true;
      this.offer();
      this.lost = this.keys ? id : null;
      this.onMove(done[0]);
    } else {
      this.offer();
      const first = this.next().keys().next().value;
      if (this.keys) this.focusOn(first);
      this.zoom.follow();
      this.scrollToNext();
    }
    return undefined;
  }

  // Scroll what can be picked next into the window, below the status line at its top.
  scrollToNext() {
    const boxes = [...this.box.querySelectorAll(".can-pick")].map((element) => element.getBoundingClientRect());
    const least = Math.max(0, document.querySelector(".head")?.getBoundingClientRect().bottom ?? 0) + MARGIN;
    const top = Math.min(...boxes.map((box) => box.top)), bottom = Math.max(...boxes.map((box) => box.bottom));
    const down = Math.min(Math.max(0, bottom + MARGIN - innerHeight), Math.max(0, top - least)); // but not so far that its top is hidden
    const by = top < least ? top - least : down;
    if (boxes.length && by) scrollBy({ top: by, behavior: still.matches ? "instant" : "smooth" });
  }

  undoPick() {
    const last = this.picked.pop();
    this.offer();
    if (last !== undefined) this.focusOn(last);
    return last !== undefined;
  }

  // Focus the first of these elements that can be picked, else any that can.
  focusOn(...ids) {
    const found = ids.map((id) => this.element(id ?? "")).find((element) => element?.hasAttribute("tabindex"));
    (found ?? this.box.querySelector(".can-pick"))?.focus({ preventScroll: true });
  }

  // Keys that work wherever the focus is: Escape takes a pick back; elements of the picture may have keys (data-key).
  called(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.target.matches("input, select, textarea")) return;
    if (event.key === "Escape") {
      if (this.undoPick()) event.preventDefault();
    } else {
      const named = [...this.box.querySelectorAll("[data-key]")].find(({ dataset }) => dataset.key === event.key.toLowerCase());
      if (named && this.begin(named.closest("[id]").id)) event.preventDefault();
    }
  }

  pressed(event) {
    const element = this.pickable(event.target);
    if (element && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      if (event.repeat) return; // a key held down picks only once
      this.keys = true;
      this.pick(element.id);
      this.keys = false;
    } else if (event.key in ARROWS) {
      event.preventDefault();
      this.walk(element, ...ARROWS[event.key]);
    }
  }

  // Focus the nearest element to pick in a direction.
  walk(from, dx, dy) {
    const all = [...this.box.querySelectorAll(".can-pick, .picked")].filter((other) => other !== from);
    if (!from) return all[0]?.focus();
    const centre = (element) => {
      const r = element.getBoundingClientRect();
      return [r.x + r.width / 2, r.y + r.height / 2];
    };
    const [x, y] = centre(from);
    let best = null, least = Infinity;
    for (const other of all) {
      const [ox, oy] = centre(other);
      const along = (ox - x) * dx + (oy - y) * dy;
      const aside = Math.abs((ox - x) * dy) + Math.abs((oy - y) * dx);
      if (along > 1 && along + 2 * aside < least) [best, least] = [other, along + 2 * aside];
    }
    best?.focus();
    return undefined;
  }

  preview(target) {
    const element = this.pickable(target);
    for (const other of this.box.querySelectorAll(".preview")) other.classList.remove("preview");
    if (element?.classList.contains("can-pick")) element.classList.add("preview");
    this.onPreview(this.words(element));
  }

  // The preview: the move as typed if the path is complete (with the label of a .then element), else the picks so far.
  words(element) {
    const path = element && !this.picked.includes(element.id) ? [...this.picked, element.id] : this.picked;
    const done = this.moves.find(([, , p]) => p.length === path.length && p.every((id, i) => id === path[i]));
    if (done) return element?.classList.contains("then") ? `${done[1]}: ${this.label(element.id)}` : done[1];
    return path.map((id) => this.label(id)).join(" → ");
  }

  label(id) {
    return this.element(id)?.querySelector(":scope > title")?.textContent ?? id;
  }

  // Highlight the best move of a hint; paths: the paths of its moves, best first.
  advise(paths) {
    for (const element of this.box.querySelectorAll(".advised")) element.classList.remove("advised");
    for (const id of paths[0] ?? []) {
      for (const element of [this.element(id), ...this.partsOf(id)]) element?.classList.add("advised");
    }
  }

  // The colour and sign of a seat in the picture, for charts beside it; null if the picture has none.
  lookOf(seat) {
    return this.box.querySelector(`[data-seat="${seat}"]`)?.dataset ?? null;
  }
}

// The shape of picture that fits this screen: tall on narrow ones, else wide.
export const narrow = matchMedia("(max-width: 700px) and (orientation: portrait)");
export const shape = () => (narrow.matches ? "tall" : "wide");

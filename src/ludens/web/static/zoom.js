// A closer look at a board: its viewBox is made smaller and moved about. Two fingers, buttons, + - 0, or the wheel with
// Ctrl change the size; a zoomed board is dragged. The picture may be replaced at any time, the look stays.

const MOST = 8; // times as large
const STEP = 1.5; // of a button
const SLIP = 5; // pixels a hand moves without meaning to

const between = (least, value, most) => Math.max(least, Math.min(most, value));

export class Zoom {
  constructor(box) {
    this.box = box;
    this.reset();
    this.hand = null; // the mouse or the fingers as they were last
    this.isDrag = false; // the click at its end picks nothing
    const stage = box.closest(".stage");
    for (const kind of ["in", "out", "reset"]) this.button(kind)?.addEventListener("click", () => this.step(kind));
    stage?.addEventListener("keydown", (event) => this.pressed(event));
    box.addEventListener("focusin", (event) => this.reveal(event.target));
    box.addEventListener("wheel", (event) => this.wheeled(event), { passive: false });
    box.addEventListener("mousedown", (event) => this.held(event));
    box.addEventListener("click", (event) => this.released(event), true);
    addEventListener("mousemove", (event) => this.dragged(event));
    for (const kind of ["touchstart", "touchend", "touchcancel"]) box.addEventListener(kind, (event) => this.touched(event), { passive: true });
    box.addEventListener("touchmove", (event) => this.swiped(event), { passive: false });
  }

  // What is looked at: the window the game draws for it, such as its map, or else the whole board.
  get svg() {
    return this.box.querySelector("svg.zoomable") ?? this.box.querySelector(":scope > svg");
  }

  button(kind) {
    return document.getElementById(`ui-zoom-${kind}`);
  }

  // All of it again.
  reset() {
    this.times = 1;
    this.at = [0, 0]; // the middle of what is seen
    this.whole = null; // the viewBox as it came
    this.apply();
  }

  // Another picture is in the box: look at the same part of it, unless it has another shape.
  renew() {
    const [x, y, width, height] = (this.svg?.getAttribute("viewBox") ?? "").split(/[ ,]+/).map(Number);
    if (this.whole?.width !== width) this.reset();
    this.whole = width ? { x, y, width, height } : null; // the height may change from move to move
    this.apply();
  }

  apply() {
    this.button("in")?.setAttribute("aria-disabled", String(this.times >= MOST));
    for (const kind of ["out", "reset"]) this.button(kind)?.setAttribute("aria-disabled", String(this.times <= 1));
    if (!this.svg || !this.whole) return;
    const { x, y, width, height } = this.whole;
    const [w, h] = [width / this.times, height / this.times];
    this.at = [between(x + w / 2, this.at[0], x + width - w / 2), between(y + h / 2, this.at[1], y + height - h / 2)];
    this.svg.setAttribute("viewBox", `${this.at[0] - w / 2} ${this.at[1] - h / 2} ${w} ${h}`);
    this.svg.classList.toggle("zoomed", this.times > 1);
  }

  // Where a point of the screen lies on the board.
  place(clientX, clientY) {
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    return [x, y];
  }

  // The middle of what can be seen without scrolling, on the screen.
  middle() {
    const { x, y, width, height } = this.svg.viewBox.baseVal, matrix = this.svg.getScreenCTM();
    const [one, two] = [[x, y], [x + width, y + height]].map(([px, py]) => new DOMPoint(px, py).matrixTransform(matrix));
    const half = (low, high, most) => (Math.max(low, 0) + Math.min(high, most)) / 2;
    return [half(one.x, two.x, innerWidth), half(one.y, two.y, innerHeight)];
  }

  // So many times as large; what lies at a point of the screen stays there.
  scaleTo(times, clientX, clientY) {
    if (!this.svg || !this.whole) return;
    const fixed = this.place(clientX, clientY), old = this.times;
    this.times = between(1, times < 1.01 ? 1 : times, MOST);
    this.at = this.at.map((middle, i) => fixed[i] + ((middle - fixed[i]) * old) / this.times);
    this.apply();
  }

  // Move what is seen by pixels of the screen; how many of those down it could not follow.
  shift(dx, dy) {
    const pixels = this.svg.getScreenCTM().a, [x, y] = this.at;
    this.at = [x - dx / pixels, y - dy / pixels];
    this.apply();
    return dy - (y - this.at[1]) * pixels;
  }

  // A button or a key; the first look goes where something can be picked.
  step(kind) {
    if (!this.svg || !this.whole) return;
    const goals = kind === "in" && this.times === 1 ? this.svg.querySelectorAll(".can-pick") : [];
    const point = goals.length ? centre(...goals) : this.middle();
    const goal = this.place(...point);
    this.scaleTo({ in: this.times * STEP, out: this.times / STEP, reset: 1 }[kind], ...point);
    if (!goals.length) return;
    this.at = goal;
    this.apply();
  }

  pressed(event) {
    const kind = { "+": "in", "=": "in", "-": "out", 0: "reset" }[event.key];
    if (!kind || event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, select, textarea")) return;
    event.preventDefault();
    this.step(kind);
  }

  // The keyboard went to something that is out of sight.
  reveal(target) {
    if (this.times > 1 && this.svg?.contains(target) && !this.sees(...centre(target))) this.lookAt(...centre(target));
  }

  // There is something to pick, and none of it is in sight: go there.
  follow() {
    const goals = this.times > 1 ? [...(this.svg?.querySelectorAll(".can-pick") ?? [])] : [];
    if (goals.length && !goals.some((goal) => this.sees(...centre(goal)))) this.lookAt(...centre(...goals));
  }

  // Whether a point of the screen lies within what is seen.
  sees(clientX, clientY) {
    const { x, y, width, height } = this.svg.viewBox.baseVal, [across, down] = this.place(clientX, clientY);
    return between(x, across, x + width) === across && between(y, down, y + height) === down;
  }

  // Put a point of the screen into the middle.
  lookAt(clientX, clientY) {
    this.at = this.place(clientX, clientY);
    this.apply();
  }

  wheeled(event) {
    if (!event.ctrlKey || !this.whole) return; // without Ctrl it scrolls the page
    event.preventDefault();
    this.scaleTo(this.times * Math.exp(-event.deltaY / 200), event.clientX, event.clientY);
  }

  // the mouse

  held(event) {
    this.isDrag = false;
    const isHeld = event.button === 0 && this.times > 1 && this.svg && this.sees(event.clientX, event.clientY);
    this.hand = isHeld ? event : null;
  }

  dragged(event) {
    if (!this.hand || !this.svg) return;
    if (!(event.buttons & 1)) { this.hand = null; return; }
    const dx = event.clientX - this.hand.clientX, dy = event.clientY - this.hand.clientY;
    if (!this.isDrag && Math.hypot(dx, dy) < SLIP) return;
    this.isDrag = true;
    this.shift(dx, dy);
    this.hand = event;
  }

  released(event) {
    if (this.isDrag) event.stopPropagation();
    this.isDrag = false;
    this.hand = null;
  }

  // fingers: a tap picks as ever, since nothing is prevented before they move

  touched({ touches }) {
    const hand = touches.length && this.svg ? fingers(touches) : null;
    this.hand = hand && this.sees(hand.x, hand.y) ? hand : null;
  }

  swiped(event) {
    const isPinch = event.touches.length > 1;
    if (!this.hand || !this.svg || !this.whole || !event.cancelable || (!isPinch && this.times <= 1)) return;
    event.preventDefault(); // neither the page nor the browser's own zoom takes it
    const hand = fingers(event.touches);
    if (isPinch && this.hand.spread) this.scaleTo((this.times * hand.spread) / this.hand.spread, this.hand.x, this.hand.y);
    const rest = this.shift(hand.x - this.hand.x, hand.y - this.hand.y);
    if (!isPinch) scrollBy(0, -rest); // at its edge the board lets the page go
    this.hand = hand;
  }
}

// The middle of some elements, on the screen.
function centre(...elements) {
  const boxes = elements.map((element) => element.getBoundingClientRect());
  const half = (low, high) => (Math.min(...boxes.map((box) => box[low])) + Math.max(...boxes.map((box) => box[high]))) / 2;
  return [half("left", "right"), half("top", "bottom")];
}

// The middle of one or two fingers, and how far they are apart.
function fingers(touches) {
  const [one, two = one] = touches;
  const spread = Math.hypot(one.clientX - two.clientX, one.clientY - two.clientY);
  return { x: (one.clientX + two.clientX) / 2, y: (one.clientY + two.clientY) / 2, spread };
}

// Zooms a board by changing its viewBox. Two fingers, buttons, the keys + - 0, or the wheel with Ctrl change the size; a
// zoomed board can be dragged. When the picture is replaced, zoom and place stay.

const MOST = 8; // the largest magnification
const STEP = 1.5; // factor of a button or key
const SLIP = 5; // pixels the mouse may move before it is a drag

const between = (least, value, most) => Math.max(least, Math.min(most, value));

export class Zoom {
  constructor(box) {
    this.box = box;
    this.reset();
    this.hand = null; // the last position of the mouse or fingers, null if neither is down
    this.isDrag = false; // then the click at its end picks nothing
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

  // The element to zoom: the part of the drawing marked for it (such as a map), else the whole board.
  get svg() {
    return this.box.querySelector("svg.zoomable") ?? this.box.querySelector(":scope > svg");
  }

  button(kind) {
    return document.getElementById(`ui-zoom-${kind}`);
  }

  // Show the whole board.
  reset() {
    this.times = 1;
    this.at = [0, 0]; // the middle of the visible part
    this.whole = null; // the original viewBox
    this.apply();
  }

  // Called after the picture was replaced: show the same part of it, or all if its width has changed.
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

  // The place on the board of a point of the screen.
  place(clientX, clientY) {
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    return [x, y];
  }

  // The middle of the part of the board inside the window, in screen coordinates.
  middle() {
    const { x, y, width, height } = this.svg.viewBox.baseVal, matrix = this.svg.getScreenCTM();
    const [one, two] = [[x, y], [x + width, y + height]].map(([px, py]) => new DOMPoint(px, py).matrixTransform(matrix));
    const half = (low, high, most) => (Math.max(low, 0) + Math.min(high, most)) / 2;
    return [half(one.x, two.x, innerWidth), half(one.y, two.y, innerHeight)];
  }

  // Set the magnification; the point of the board below a point of the screen stays there.
  scaleTo(times, clientX, clientY) {
    if (!this.svg || !this.whole) return;
    const fixed = this.place(clientX, clientY), old = this.times;
    this.times = between(1, times < 1.01 ? 1 : times, MOST);
    this.at = this.at.map((middle, i) => fixed[i] + ((middle - fixed[i]) * old) / this.times);
    this.apply();
  }

  // Move the board by pixels of the screen; returns the vertical pixels it could not move because of its edge.
  shift(dx, dy) {
    const pixels = this.svg.getScreenCTM().a, [x, y] = this.at;
    this.at = [x - dx / pixels, y - dy / pixels];
    this.apply();
    return dy - (y - this.at[1]) * pixels;
  }

  // Zoom by a button or key; the first zoom goes to what can be picked.
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

  // Move to the focused element if it is outside the visible part.
  reveal(target) {
    if (this.times > 1 && this.svg?.contains(target) && !this.sees(...centre(target))) this.lookAt(...centre(target));
  }

  // If nothing that can be picked is in the visible part, move there.
  follow() {
    const goals = this.times > 1 ? [...(this.svg?.querySelectorAll(".can-pick") ?? [])] : [];
    if (goals.length && !goals.some((goal) => this.sees(...centre(goal)))) this.lookAt(...centre(...goals));
  }

  // Whether a point of the screen lies in the visible part.
  sees(clientX, clientY) {
    const { x, y, width, height } = this.svg.viewBox.baseVal, [across, down] = this.place(clientX, clientY);
    return between(x, across, x + width) === across && between(y, down, y + height) === down;
  }

  // Move a point of the screen to the middle.
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

  // fingers: a tap still picks, since events are prevented only when the fingers move

  touched({ touches }) {
    const hand = touches.length && this.svg ? fingers(touches) : null;
    this.hand = hand && this.sees(hand.x, hand.y) ? hand : null;
  }

  swiped(event) {
    const isPinch = event.touches.length > 1;
    if (!this.hand || !this.svg || !this.whole || !event.cancelable || (!isPinch && this.times <= 1)) return;
    event.preventDefault(); // neither scroll the page nor zoom with the browser
    const hand = fingers(event.touches);
    if (isPinch && this.hand.spread) this.scaleTo((this.times * hand.spread) / this.hand.spread, this.hand.x, this.hand.y);
    const rest = this.shift(hand.x - this.hand.x, hand.y - this.hand.y);
    if (!isPinch) scrollBy(0, -rest); // at the edge of the board, scroll the page
    this.hand = hand;
  }
}

// The middle of some elements, in screen coordinates.
function centre(...elements) {
  const boxes = elements.map((element) => element.getBoundingClientRect());
  const half = (low, high) => (Math.min(...boxes.map((box) => box[low])) + Math.max(...boxes.map((box) => box[high]))) / 2;
  return [half("left", "right"), half("top", "bottom")];
}

// The middle of one or two fingers, and the distance between them.
function fingers(touches) {
  const [one, two = one] = touches;
  const spread = Math.hypot(one.clientX - two.clientX, one.clientY - two.clientY);
  return { x: (one.clientX + two.clientX) / 2, y: (one.clientY + two.clientY) / 2, spread };
}

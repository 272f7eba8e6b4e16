// The lobby and the page that sets up a game: shows which games are still compiling, and updates the form.
const READY = "ready";
let wanted = null; // the button pressed before its game was ready; it is submitted when the game is

function apply(progress) {
  let isWaiting = false;
  for (const element of document.querySelectorAll("[data-state]")) {
    const { state, words } = progress[element.dataset.game] ?? { state: READY, words: "" };
    element.dataset.state = state;
    element.querySelector(".waiting").textContent = words;
    isWaiting ||= state !== READY;
  }
  return isWaiting;
}

const stateOf = (button) => button.closest("[data-state]").dataset;

async function poll() {
  try {
    const first = wanted ? `?${new URLSearchParams({ first: stateOf(wanted).game })}` : "";
    const answer = await fetch(`/ready.json${first}`);
    const isWaiting = apply(await answer.json());
    if (wanted && stateOf(wanted).state === READY) {
      wanted.removeAttribute("aria-busy");
      wanted.form.requestSubmit(wanted);
    }
    if (!isWaiting) return;
  } catch { /* the server does not answer: ask again */ }
  setTimeout(poll, 700);
}

for (const element of document.querySelectorAll("[data-state]")) {
  element.addEventListener("submit", (event) => {
    if (element.dataset.state === READY || !event.submitter) return;
    event.preventDefault();
    wanted?.removeAttribute("aria-busy");
    wanted = event.submitter;
    wanted.setAttribute("aria-busy", "true");
  });
}

if ([...document.querySelectorAll("[data-state]")].some((element) => element.dataset.state !== READY)) poll();

// A changed option may change the number of seats, so the server makes the form again from what is chosen.
const form = document.getElementById("ui-setup");
form?.addEventListener("change", ({ target }) => {
  if (target.classList.contains("who")) showSpecs();
  if (!target.classList.contains("changes") || !form.reportValidity()) return;
  const chosen = new URLSearchParams([...new FormData(form)].filter(([name, value]) => name !== "game" && value));
  try { sessionStorage.setItem("ludens-field", target.name); } catch { /* no storage in a private window */ }
  location.replace(`${form.dataset.update}?${chosen}`);
});

function showSpecs() {
  for (const seat of form.querySelectorAll(".seat")) {
    seat.querySelector(".spec").hidden = seat.querySelector(".who").value !== "custom";
  }
  const watched = form.querySelector(".watched");
  if (watched) watched.hidden = [...form.querySelectorAll(".who")].some((who) => who.value === "person");
}

// Focus the field whose change loaded the form again.
function focusAgain() {
  try {
    const field = form.elements.namedItem(sessionStorage.getItem("ludens-field"));
    field?.closest("details")?.setAttribute("open", "");
    field?.focus();
    sessionStorage.removeItem("ludens-field");
  } catch { /* as above */ }
}

if (form) {
  showSpecs();
  focusAgain();
}

// Send a chosen file as it is; the server reads and stores it and answers with the option's value for it.
async function bring(input) {
  const file = input.files[0];
  if (!file) return;
  input.disabled = true;
  const { value, error = "" } = file.size > Number(input.dataset.most) ? { error: input.dataset.large } : await handOver(file, input.dataset);
  input.disabled = false;
  input.value = ""; // so that the same file can be tried again
  const words = input.parentElement.querySelector(".error");
  words.textContent = error;
  words.hidden = !error;
  if (value) choose(form.elements.namedItem(input.dataset.option), value);
}

async function handOver(file, { to, away }) {
  try {
    const answer = await fetch(`${to}?${new URLSearchParams({ name: file.name })}`, { method: "POST", body: file });
    const isJson = answer.headers.get("content-type")?.startsWith("application/json");
    return isJson ? await answer.json() : { error: await answer.text() };
  } catch {
    return { error: away };
  }
}

function choose(select, value) {
  if (![...select.options].some((option) => option.value === value)) select.add(new Option(value, value));
  select.value = value;
  select.dispatchEvent(new Event("change", { bubbles: true }));
}

for (const input of form?.querySelectorAll("input[type=file]") ?? []) {
  input.closest(".bring").hidden = false;
  input.addEventListener("change", () => bring(input));
}

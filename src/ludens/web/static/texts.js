// Texts from the catalogue, which the page holds as JSON: say(key, values), and fill(text, values).
const texts = JSON.parse(document.getElementById("ui-texts").textContent);

export function say(key, values = {}) {
  return fill(texts[`js.${key}`] ?? key, values);
}

export function fill(text, values) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? values[name] : whole));
}

export const byId = (id) => document.getElementById(`ui-${id}`);

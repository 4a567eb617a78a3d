// Elements without markup: what comes from elsewhere is only ever text.

export const $ = (id) => document.getElementById(id);

/** Says a text of the page's, in its language; `holes` fill what stands in it as %(name)s. */
export const says = (name, holes = {}) => $("texts").dataset[name].replace(/%\((\w+)\)s/g, (_, hole) => holes[hole]);

/** Makes an element; `attributes` may have class, text, on<event> and anything that setAttribute takes. */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "text") element.textContent = value;
    else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** Shows a fault beside a field, or takes it away. */
export function fault(id, text) {
  $(`${id}-fault`).textContent = text ?? "";
  $(id).setAttribute("aria-invalid", text ? "true" : "false");
}

export const shorten = (text) => (text.length <= 13 ? text : `${text.slice(0, 6)}…${text.slice(-4)}`);

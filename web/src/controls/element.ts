/** Makes an element with attributes and children; `on...` are not for here: listeners are added by who makes it. */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K, attributes: Record<string, string> = {}, ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  made.append(...children);
  return made;
}

export function button(text: string, title: string, clicked: () => void): HTMLButtonElement {
  const made = element("button", { type: "button", title }, text);
  made.addEventListener("click", clicked);
  return made;
}

/** The name of SVG's elements, which looks like an address; the page holds no addresses. */
export const SVG_SPACE = ((): string => {
  const host = document.createElement("div");
  host.innerHTML = "<svg></svg>";
  return host.firstElementChild?.namespaceURI ?? "";
})();

/** An element of SVG. */
export function svg(name: string, attributes: Record<string, string | number> = {}, ...children: (Node | string)[]): SVGElement {
  const made = document.createElementNS(SVG_SPACE, name) as SVGElement;
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, String(value));
  made.append(...children);
  return made;
}

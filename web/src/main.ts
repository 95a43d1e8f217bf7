import { themeSwitch } from "./controls/theme";
import { showSection } from "./panels/section_view";
import { Tip } from "./panels/tip";

/** The page that 'unroll compare' writes: a section per data set. */
document.querySelector("body > header")?.append(themeSwitch());
const box = document.getElementById("tip");
if (box) {
  const tip = new Tip(box);
  for (const root of document.querySelectorAll<HTMLElement>("main > section")) showSection(root, tip);
}

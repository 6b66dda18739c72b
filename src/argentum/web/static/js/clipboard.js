// Copying texts and links.
import { create, onClick } from "./dom.js";
import { phrase } from "./phrases.js";
import { showToast } from "./toast.js";

/**
 * Copy a text; return whether that worked. Without https there is no clipboard API, so copy from a selected field.
 * @param {string} text
 */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = create("textarea", { value: text, readOnly: true, className: "visually-hidden" });
    document.body.append(field);
    field.select();
    const copied = document.execCommand("copy");
    field.remove();
    return copied;
  }
}

onClick("[data-copy-text]", async ({ dataset }) => {
  const link = new URL(dataset.copyText ?? "", location.href).href;
  if (await copyText(link)) showToast(phrase("link-copied"), 4000);
  else showToast(link, 20000); // show the link, to be copied by hand
});

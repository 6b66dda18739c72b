// Copying texts and links.
"use strict";

// Copy a text; return whether that worked. Without https there is no clipboard API, so copy from a selected field.
async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = Object.assign(document.createElement("textarea"), { value: text, readOnly: true, className: "visually-hidden" });
    document.body.append(field);
    field.select();
    const copied = document.execCommand("copy");
    field.remove();
    return copied;
  }
}

async function copyLink(button) {
  const link = new URL(button.dataset.copyText, location.href).href;
  try {
    await navigator.clipboard.writeText(link);
    showToast(phrase("link-copied"), 4000);
  } catch {
    showToast(link, 20000); // without https there is no clipboard, so show the link
  }
}

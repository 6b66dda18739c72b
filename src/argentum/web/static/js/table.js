// Table page: opens the connection.
"use strict";

function download(name, text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

new MutationObserver(() => {
  onPassDevice();
  storeTable();
  storeGame();
  startQuickGame();
  openLinkedReview();
}).observe(document.getElementById("stage"), { attributes: true, attributeFilter: ["data-page"] });

addEventListener("hashchange", () => location.reload());
connect();

// The element that shows the current page.
"use strict";

const stage = document.getElementById("stage");

import assert from "node:assert/strict";
import test from "node:test";

import { fillTemplate } from "../../../../src/argentum/web/static/js/message_template.js";

test("the value of a control is filled in", () => {
  assert.deepEqual(fillTemplate('{"type":"arrange","name":"$value"}', 'Bo "x"'), { type: "arrange", name: 'Bo "x"' });
});

test("a message without a value stays as it is", () => {
  assert.deepEqual(fillTemplate('{"type":"start"}', ""), { type: "start" });
});

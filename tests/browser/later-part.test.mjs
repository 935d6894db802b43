// The later part of a lab's module: functions that no first visit calls (crates/web/later).

import assert from "node:assert/strict";
import { hosts, openPage, test, until } from "./harness.mjs";
import { isWaitedFor, state } from "./lab.mjs";

for (const host of [hosts.isolated, hosts.plain]) {
  test(`function of the later part is waited for if the part has not arrived: ${host.name} host`, async () => {
    const waits = [];
    const page = await openPage(host, "#/control?seed=3", {
      prepare: async (page) => {
        page.on("request", (request) => isWaitedFor(request) && waits.push(request.url()));
        // The worker asks for it once the run learns; a call that needs it asks in another way.
        await page.route(/-later-[^/]*\.wasm/, (route) =>
          route.request().resourceType() === "fetch" ? route.abort() : route.continue(),
        );
      },
    });
    await until("it learns", async () => (await state(page)).units > 0);
    // Saving is one of these functions.
    const saved = await page.evaluate(
      async () => (await globalThis.learnery.save({ networkOnly: false })).bytes.length,
    );
    assert.ok(saved > 1000, `a checkpoint has ${saved} bytes`);
    assert.ok(waits.length > 0, "nothing of the later part was needed");
    const { units } = await state(page);
    await until("it goes on", async () => (await state(page)).units > units);
    page.forget();
  });
}

// Drags on the drawing of a cube, of either size.

/** The screen position of a point given in units of the drawing, which is 400 units wide, from its centre. */
export async function at(page, x, y, drawing = page.locator(".cube-svg")) {
  const box = await drawing.boundingBox();
  const scale = box.height / 400;
  return [box.x + box.width / 2 + x * scale, box.y + box.height / 2 + y * scale];
}

/**
 * Lets a finger or the mouse rest for longer than www/labs/cube/cube-input.ts calls a flick (80 ms), by the clock,
 * because the page compares times.
 */
export const restFinger = (page) => page.waitForTimeout(120);

/** Drags from one point to another, in units of the drawing. The pointer rests at the end, so that it is no flick. */
export async function drag(page, from, to, drawing) {
  await page.mouse.move(...(await at(page, ...from, drawing)));
  await page.mouse.down();
  await page.mouse.move(...(await at(page, ...to, drawing)), { steps: 12 });
  await restFinger(page);
  await page.mouse.up();
}

/** Waits until the browser has drawn what is there now. */
export function painted(page) {
  return page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

/** How many frames a second a flame graph draws while it is panned and zoomed. */
export function panning(page) {
  return page.evaluate(async () => {
    const canvas = document.querySelector('canvas');
    canvas.focus();
    let frames = 0;
    const start = performance.now();
    while (performance.now() - start < 3000) {
      const key = frames % 40 < 20 ? 'd' : 'a';
      if (frames % 10 === 0)
        canvas.dispatchEvent(new KeyboardEvent('keydown', { key: frames % 80 < 40 ? '+' : '-' }));
      canvas.dispatchEvent(new KeyboardEvent('keydown', { key }));
      await new Promise((done) => requestAnimationFrame(done));
      frames++;
    }
    return frames / ((performance.now() - start) / 1000);
  });
}

/** What somebody may call a method, a JVM or a message. */
export const HOSTILE = '<img src=x onerror=alert(1)>\u202e';

export const JVM = {
  jvm: 'jvm-1',
  app: 'workload',
  version: '1.1',
  instance: 'host:4711',
  main: 'workload.jar',
  pid: 4711,
};

export function measurement(change = {}) {
  return {
    id: 'first',
    jvm: JVM.jvm,
    app: JVM.app,
    version: JVM.version,
    instance: JVM.instance,
    roots: ['Search::find'],
    regions: [],
    seconds: 30,
    state: 'running',
    message: '',
    created: '2026-11-15T10:00:00Z',
    ...change,
  };
}

/** A root that called so many methods, each twice as often as the one before it. */
export function callTree(methods, name = (i) => `dev.heatline.shop.Search.step${i}(String)`) {
  const root = ['all threads', 'dev.heatline.shop.Search.find(String)'];
  const row = (path, calls, base, cum) => ({
    path,
    depth: path.length - 1,
    calls,
    base,
    cum,
    basePercent: (100 * base) / methods,
    cumPercent: (100 * cum) / methods,
  });
  const rows = [row(root.slice(0, 1), 0, 0, methods), row(root, 50, 0, methods)];
  for (let i = 0; i < methods; i++) rows.push(row([...root, name(i)], 50 * 2 ** (i % 10), 1, 1));
  const totalCalls = rows.reduce((sum, it) => sum + it.calls, 0);
  return { resource: { name: 'elapsed', unit: 's' }, total: methods, totalCalls, rows };
}

/** How long calls of one method took. */
export function times(calls, method = 'dev.heatline.shop.Search.find(String)') {
  const slow = { took: 52.5e6, end: '2026-11-15T10:00:01Z', thread: 'request-3' };
  return {
    unit: 'ns',
    duration: 5e9,
    regions: [
      {
        method,
        calls,
        total: calls * 12e6,
        percentiles: { '50.0': 8.39e6, '90.0': 19.6e6, '99.0': 52.5e6, 99.9: 52.5e6 },
        histogram: [
          { from: 8e6, to: 8.4e6, calls: calls - 1 },
          { from: 50e6, to: 53e6, calls: 1 },
        ],
        last: [{ start: 1, took: 7.76e6 }],
        slowest: [{ ...slow, arguments: ['java.lang.String'], stack: [`${method}:63`, 'Shop.handle:108'] }],
      },
    ],
  };
}

/** Answers in place of a server that knows of a JVM to measure: those of the tests know of none. */
export class LiveJvm {
  jvms = [JVM];
  earlier = [];

  /** How the measurement is; tests change it as if time went on. */
  now = measurement();

  /** All that was asked, and how many of that at once. */
  asked = [];
  underWay = 0;
  most = 0;

  answers = {
    'GET jvms': () => ({ json: { found: this.jvms.length, leftOut: 0, rows: this.jvms } }),
    'GET measurements': () => ({ json: { rows: this.earlier } }),
    'GET measurement': () => ({ json: this.now }),
    'POST measurements': () => ({ json: this.now }),
    'DELETE measurements': () => ({ json: this.now }),
  };

  async answer(page) {
    await page.route(/\/api\/v1\/(jvms|measurements?)\?/, async (route) => {
      const url = new URL(route.request().url());
      const question = `${route.request().method()} ${url.pathname.replace(/.*\//, '')}`;
      this.asked.push({ question, params: url.searchParams });
      if (question === 'GET measurement') this.most = Math.max(this.most, ++this.underWay);
      const answer = await this.answers[question]();
      if (question === 'GET measurement') this.underWay--;
      // The page may have given up by then.
      await route.fulfill(answer).catch(() => {});
    });
  }

  /** How often something was asked. */
  count(question) {
    return this.asked.filter((it) => it.question === question).length;
  }
}

import { ALLOCATED, CPU, payload, SAMPLES } from './payload.js';

/** A web shop's profile as a service has it: deep frameworks, a few hot methods, some native frames. */
const SERVE =
  'java.lang.Thread.run();java.lang.Thread.runWith(Object,Runnable);' +
  'java.util.concurrent.ThreadPoolExecutor$Worker.run();' +
  'java.util.concurrent.ThreadPoolExecutor.runWorker(ThreadPoolExecutor$Worker);' +
  'org.eclipse.jetty.server.Server.handle(HttpChannel);org.eclipse.jetty.server.handler.HandlerWrapper.handle(String,Request);' +
  'com.acme.shop.web.Dispatcher.dispatch(Request,Response)';

const PATHS = [
  [
    ';com.acme.shop.cart.Cart.total(List):42/compiled;com.acme.shop.price.Pricing.priceOf(Item,Customer):118/inlined;java.util.HashMap.get(Object):556/inlined;java.util.HashMap.getNode(Object):579/inlined',
    410,
  ],
  [
    ';com.acme.shop.cart.Cart.total(List):42/compiled;com.acme.shop.price.Pricing.priceOf(Item,Customer):121/compiled;java.math.BigDecimal.multiply(BigDecimal):1606/compiled',
    320,
  ],
  [
    ';com.acme.shop.cart.Cart.total(List):44/compiled;com.acme.shop.price.Discounts.apply(Price):31/compiled;java.util.regex.Pattern.compile(String,int):1095/compiled;java.util.regex.Pattern.compile():1863/compiled',
    260,
  ],
  [';com.acme.shop.cart.Cart.total(List):44/compiled;com.acme.shop.price.Discounts.apply(Price):33/c1', 90],
  [
    ';com.acme.shop.search.Catalog.find(Query):77/compiled;com.acme.shop.search.Index.scan(Term):201/compiled;java.lang.String.indexOf(String):1590/inlined',
    380,
  ],
  [
    ';com.acme.shop.search.Catalog.find(Query):77/compiled;com.acme.shop.search.Index.scan(Term):205/compiled;com.acme.shop.search.Index.score(Doc,Term):240/inlined',
    250,
  ],
  [
    ';com.acme.shop.search.Catalog.find(Query):80/compiled;java.util.ArrayList.sort(Comparator):1804/compiled;java.util.TimSort.sort(Object[],int,int,Comparator):220/compiled;com.acme.shop.search.ByScore.compare(Doc,Doc):12/inlined',
    210,
  ],
  [
    ';com.acme.shop.order.Orders.place(Order):60/compiled;org.hibernate.internal.SessionImpl.flush():1380/compiled;org.hibernate.event.internal.DefaultFlushEventListener.onFlush(FlushEvent):28/compiled;java.net.SocketOutputStream.write(byte[]):120/compiled;__send:0/native;tcp_sendmsg:0/kernel;tcp_push:0/kernel',
    190,
  ],
  [
    ';com.acme.shop.order.Orders.place(Order):64/interpreted;com.fasterxml.jackson.databind.ObjectMapper.writeValueAsBytes(Object):3900/compiled;com.fasterxml.jackson.core.json.UTF8JsonGenerator.writeString(String):600/compiled',
    170,
  ],
  [
    ';com.acme.shop.order.Tax.of(Order):9/compiled;com.acme.shop.order.Tax.of(Order):14/compiled;com.acme.shop.order.Tax.of(Order):14/compiled;java.math.BigDecimal.multiply(BigDecimal):1606/compiled',
    120,
  ],
];

export const SHOP_THREADS = [
  ...Array.from({ length: 6 }, (_, i) => ({ name: `http-${i + 1}`, group: 'http' })),
  { name: 'G1 Service', group: 'vm' },
  { name: 'main', group: 'main' },
];

export function shop(overrides = {}) {
  const stacks = [];
  PATHS.forEach(([path, weight], p) => {
    for (let t = 0; t < 6; t++) {
      const samples = Math.max(1, Math.round((weight / 6) * (0.6 + 0.16 * ((p * 3 + t) % 6))));
      stacks.push({
        stack: SERVE + path,
        thread: `http-${t + 1}`,
        values: [samples * 10_000_000, samples, samples * (p % 3) * 4096],
      });
    }
  });
  stacks.push({
    stack: 'G1ConcurrentMark::mark_from_roots:0/vm;G1CMTask::do_marking_step:0/vm',
    thread: 'G1 Service',
    values: [2.1e9, 210, 0],
  });
  stacks.push({
    stack: 'com.acme.shop.Main.main(String[]):20/interpreted;com.acme.shop.Warmup.run():33/interpreted',
    thread: 'main',
    values: [6.4e8, 64, 900_000],
  });
  return payload(stacks, {
    title: 'shop 1.4.2 — cpu',
    subtitle:
      'JFR execution samples every 10 ms for 30 s · 2 674 samples, 3 lost, 0 truncated · JDK 25 · 8 threads',
    columns: [CPU, SAMPLES, ALLOCATED],
    threads: SHOP_THREADS,
    folded: 1312,
    ...overrides,
  });
}

/** The shop before and after a change: prices cached, a regular expression now compiled per call. */
export function shopCompared() {
  const factor = [0.3, 0.9, 2.4, 1, 1, 1.02, 0.98, 1, 1.5, 1];
  const stacks = PATHS.map(([path, weight], p) => ({
    stack: SERVE + path,
    values: [weight * 1e7, Math.round(weight * factor[p]) * 1e7],
  }));
  stacks.push({ stack: `${SERVE};com.acme.shop.cart.PriceCache.lookup(Item)/compiled`, values: [0, 1.5e9] });
  stacks.push({ stack: `${SERVE};com.acme.shop.legacy.Rounding.round(Price)/compiled`, values: [1.2e9, 0] });
  return payload(stacks, {
    title: 'shop 1.4.1 → 1.4.2',
    subtitle: 'cpu by share of each profile · 30 s each, same load',
    columns: [
      { ...CPU, name: 'cpu 1.4.1' },
      { ...CPU, name: 'cpu 1.4.2' },
    ],
    compare: { baseline: 0, current: 1 },
  });
}

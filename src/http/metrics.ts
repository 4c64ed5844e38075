/** Prometheus metrics at /metrics, summed over all processes. No label has unbounded values, since each label set stays in memory. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AggregatorRegistry, collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { jobCounts } from '../jobs/counts.ts';
import { cacheSizes, type CacheSize } from '../lib/caches.ts';
import { sharedAnswer } from '../lib/shared-answer.ts';
import { limitCounts } from '../limits/counts.ts';
import { admitReader } from './metrics-access.ts';

/** The metrics of one process. */
export type Measured = readonly object[];

/** Metrics of several processes. */
export interface SharedMetrics {
  /** Registers how to read this process's metrics. */
  offer(measure: () => Promise<Measured>): void;
  /** The sum over all processes, in Prometheus format. */
  gather(): Promise<string>;
}

/** Metrics are gathered at most once per interval. */
export const gatherEveryMs = 1_000;

/** The sum of the metrics of several processes, in Prometheus format. */
export function sumMetrics(measured: readonly Measured[]): Promise<string> {
  return AggregatorRegistry.aggregate(measured.map((each) => [...each])).metrics();
}

/** The cache metrics of a process that serves no requests. */
export async function measureCaches(): Promise<Measured> {
  const registry = new Registry();
  addCaches([registry]);
  return registry.getMetricsAsJSON();
}

/** Serves /metrics on `app` to this machine, and to others with `token`; measures the requests of `app`. */
export function addMetrics(app: FastifyInstance, token: string | undefined, shared?: SharedMetrics): void {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  addCaches(registers);
  addJobs(registers);
  addLimits(registers);
  const duration = new Histogram({
    name: 'kith_http_request_duration_seconds',
    help: 'Time from the first header to the last byte of the answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  const inFlight = new Gauge({ name: 'kith_http_requests_in_flight', help: 'Requests not yet answered', registers });

  const observe = (request: FastifyRequest, reply: FastifyReply) => {
    const route = request.routeOptions.url ?? 'none';
    const method = methods.has(request.method) ? request.method : 'other';
    duration.observe({ method, route, status: reply.statusCode }, reply.elapsedTime / 1000);
  };

  app.addHook('onRequest', (request, reply, done) => {
    inFlight.inc();
    reply.raw.once('close', () => {
      inFlight.dec();
      // An upgraded connection is never reported as answered.
      if (reply.statusCode === 101) observe(request, reply);
    });
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    observe(request, reply);
    done();
  });
  shared?.offer(() => registry.getMetricsAsJSON());
  const gather = sharedAnswer(() => (shared ? shared.gather() : registry.metrics()), gatherEveryMs);
  app.get('/metrics', { onRequest: admitReader(token) }, async (_request, reply) =>
    reply.type(registry.contentType).send(await gather()),
  );
}

/** Methods that some route supports. */
const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']);

/** Jobs running in this process; the total is only known to the databases. */
function addJobs(registers: Registry[]): void {
  const running = new Gauge({
    name: 'kith_jobs_running',
    help: 'Jobs that are being carried out',
    labelNames: ['kind'],
    registers,
    collect() {
      for (const [kind, counts] of jobCounts().kinds) running.set({ kind }, counts.running);
    },
  });
  const ended = new Counter({
    name: 'kith_jobs_ended_total',
    help: 'How attempts at jobs ended: done, again (it comes again), retried, failed, handed back, lost',
    labelNames: ['kind', 'outcome'],
    registers,
    collect() {
      ended.reset();
      for (const [kind, counts] of jobCounts().kinds)
        for (const [outcome, count] of counts.ended) ended.inc({ kind, outcome }, count);
    },
  });
  const waiting = new Gauge({
    name: 'kith_jobs_waiting_organizations',
    help: 'Organizations with jobs that are due and that this process had no room for, up to 32',
    aggregator: 'max',
    registers,
    collect() {
      waiting.set(jobCounts().waiting);
    },
  });
}

function addLimits(registers: Registry[]): void {
  const of = (name: string, help: string, counts: 'denied' | 'uncounted') => {
    const counter = new Counter({
      name,
      help,
      labelNames: ['policy'],
      registers,
      collect() {
        counter.reset();
        for (const [policy, count] of limitCounts()[counts]) counter.inc({ policy }, count);
      },
    });
  };
  of('kith_rate_limit_denied_total', 'Requests that a rate limit denied', 'denied');
  of('kith_rate_limit_uncounted_total', 'Requests that were let through since nobody could count them', 'uncounted');
  const isUp = new Gauge({
    name: 'kith_rate_limit_store_up',
    help: 'Whether the store at REDIS_URL counts for all processes: 1 or 0; no value where there is none',
    // A labelled gauge without a value is not reported.
    labelNames: ['store'],
    aggregator: 'min',
    registers,
    collect() {
      const { storeUp } = limitCounts();
      if (storeUp !== undefined) isUp.set({ store: 'redis' }, storeUp ? 1 : 0);
    },
  });
}

function addCaches(registers: Registry[]): void {
  addCacheGauge(registers, 'kith_cache_bytes', 'What a cache holds, about', 'bytes');
  addCacheGauge(registers, 'kith_cache_max_bytes', 'What a cache may hold; it never holds more', 'maxBytes');
  addCacheGauge(registers, 'kith_cache_entries', 'How many entries a cache has', 'entries');
}

function addCacheGauge(registers: Registry[], name: string, help: string, measure: keyof CacheSize): void {
  const gauge = new Gauge({
    name,
    help,
    labelNames: ['cache'],
    registers,
    collect() {
      for (const [cache, size] of cacheSizes()) gauge.set({ cache }, size[measure]);
    },
  });
}

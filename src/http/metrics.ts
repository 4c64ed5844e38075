/**
 * Numbers about the service for Prometheus at /metrics, of all its processes together. There is no authentication: keep
 * the path from the public. No label holds an id.
 */
import type { FastifyInstance } from 'fastify';
import { AggregatorRegistry, collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { PolicyId } from '../limits/limiter.ts';

export interface Metrics {
  /** Counts a request that a budget denied. */
  denied(policy: PolicyId): void;
}

/** What one process has measured. */
export type Measured = readonly object[];

/** Where several processes serve together. */
export interface SharedMetrics {
  /** Tells how to get what this process has measured. */
  offer(measure: () => Promise<Measured>): void;
  /** All processes together, as Prometheus reads it. */
  gather(): Promise<string>;
}

/** What several processes have measured, as Prometheus reads it. */
export function sumMetrics(measured: readonly Measured[]): Promise<string> {
  return AggregatorRegistry.aggregate(measured.map((each) => [...each])).metrics();
}

/** Serves /metrics on `app` and measures its requests. */
export function addMetrics(app: FastifyInstance, shared?: SharedMetrics): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const duration = new Histogram({
    name: 'kith_http_request_duration_seconds',
    help: 'Time from the first header to the last byte of the answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  const inFlight = new Gauge({ name: 'kith_http_requests_in_flight', help: 'Requests not yet answered', registers });
  const denied = new Counter({
    name: 'kith_rate_limit_denied_total',
    help: 'Requests that a rate limit denied',
    labelNames: ['policy'],
    registers,
  });

  app.addHook('onRequest', (_request, reply, done) => {
    inFlight.inc();
    reply.raw.once('close', () => inFlight.dec());
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none';
    duration.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000);
    done();
  });
  shared?.offer(() => registry.getMetricsAsJSON());
  const metrics = () => (shared ?? { gather: () => registry.metrics() }).gather();
  app.get('/metrics', async (_request, reply) => reply.type(registry.contentType).send(await metrics()));
  return { denied: (policy) => denied.inc({ policy }) };
}

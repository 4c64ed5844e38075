/** The process's cache of models. Users of a cached model check whether it is current. */
import { Lru } from '../lib/lru.ts';
import type { Database } from '../postgres/database.ts';
import type { OrganizationRef } from './definition.ts';
import { loadMeasured } from './load.ts';
import type { Model } from './model.ts';

export interface ModelCache {
  /** The cached model, which may be outdated. */
  remembered(organizationId: string): Model | undefined;
  /** The model of that version and epoch, or a later one; concurrent calls share one load. */
  model(database: Database, organization: OrganizationRef, version: string, epoch: string): Promise<Model>;
  forget(organizationId: string): void;
  /** Calls `forget` when the organization's model is replaced: what refers to it would keep it in memory. */
  onForgotten(forget: (organizationId: string) => void): void;
}

/** About 800 models of the built-in objects. */
const defaultBytes = 64 * 1024 * 1024;

/**
 * Creates a process's cache. It keeps up to `maxBytes` of models, one per organization, and loads each once at a
 * time.
 */
export function createModelCache(maxBytes = defaultBytes): ModelCache {
  const forgetting: ((organizationId: string) => void)[] = [];
  const models = new Lru<string, { readonly model: Model; readonly bytes: number }>({
    name: 'models',
    maxBytes,
    bytesOf: (_organizationId, { bytes }) => bytes,
    dropped: (organizationId) => forgetting.forEach((forget) => forget(organizationId)),
  });
  const loading = new Map<string, Promise<Model>>();

  async function load(database: Database, organization: OrganizationRef, key: string): Promise<Model> {
    try {
      const loaded = await loadMeasured(database, organization);
      models.set(organization.id, loaded);
      return loaded.model;
    } finally {
      loading.delete(key);
    }
  }

  return {
    remembered: (organizationId) => models.get(organizationId)?.model,
    forget: (organizationId) => models.delete(organizationId),
    onForgotten: (forget) => void forgetting.push(forget),
    async model(database, organization, version, epoch) {
      const known = models.get(organization.id)?.model;
      if (known?.version === version && known.epoch === epoch && known.schema === organization.schema) return known;
      const key = `${organization.schema} ${version} ${epoch}`;
      const pending = loading.get(key) ?? load(database, organization, key);
      loading.set(key, pending);
      return pending;
    },
  };
}

/** The models that a process remembers. Whether a remembered one still holds is checked by whoever works on it. */
import { Lru } from '../lib/lru.ts';
import type { Database } from '../postgres/database.ts';
import type { OrganizationRef } from './definition.ts';
import { loadModel } from './load.ts';
import type { Model } from './model.ts';

export interface ModelCache {
  /** The last model seen, which may be outdated. */
  remembered(organizationId: string): Model | undefined;
  /** The model of that version and epoch, or a later one; concurrent calls load it once. */
  model(database: Database, organization: OrganizationRef, version: string, epoch: string): Promise<Model>;
  forget(organizationId: string): void;
}

export function createModelCache(capacity = 500): ModelCache {
  const models = new Lru<string, Model>(capacity);
  const loading = new Map<string, Promise<Model>>();

  async function load(database: Database, organization: OrganizationRef, key: string): Promise<Model> {
    try {
      const model = await loadModel(database, organization);
      models.set(organization.id, model);
      return model;
    } finally {
      loading.delete(key);
    }
  }

  return {
    remembered: (organizationId) => models.get(organizationId),
    forget: (organizationId) => models.delete(organizationId),
    async model(database, organization, version, epoch) {
      const known = models.get(organization.id);
      if (known?.version === version && known.epoch === epoch && known.schema === organization.schema) return known;
      const key = `${organization.schema} ${version} ${epoch}`;
      const pending = loading.get(key) ?? load(database, organization, key);
      loading.set(key, pending);
      return pending;
    },
  };
}

/** Components get the same names again and again, whatever objects are called. */
import { describe, expect, it } from 'vitest';
import { nameObjects, Names, pascal } from '../../src/describe/names.ts';
import type { ObjectDef } from '../../src/model/model.ts';

describe('pascal', () => {
  it.each([
    ['Purchase order', 'PurchaseOrder'],
    ['purchase_order', 'PurchaseOrder'],
    ['Été à Orléans', 'EteAOrleans'],
    ['3D model', undefined],
    ['😀', undefined],
    ['日本', undefined],
    ['constructor', 'Constructor'],
    ["'; drop table", 'DropTable'],
    ['<script>alert(1)</script>', 'ScriptAlert1Script'],
    ['A'.repeat(200), 'A'.repeat(60)],
  ])('%s', (text, name) => expect(pascal(text)).toBe(name));
});

describe('nameObjects', () => {
  const named = (...objects: (readonly [name: string, singular: string, isSystem?: boolean])[]) => {
    const defs = objects.map(([name, labelSingular, isSystem = false]) => objectCalled(name, labelSingular, isSystem));
    const names = nameObjects(defs, new Names(['Error', 'FilterGroup']));
    return Object.fromEntries(defs.map((object) => [object.name, names.get(object)?.singular]));
  };

  it('takes the label', () => {
    expect(named(['contacts', 'Contact'])).toEqual({ contacts: 'Contact' });
  });

  it('takes the name where the label says nothing', () => {
    expect(named(['things', '😀'])).toEqual({ things: 'Things' });
  });

  it('leaves built-in objects their names, in whatever order', () => {
    const expected = { contacts: 'Contact', a_people: 'APeople' };
    expect(named(['a_people', 'Contact'], ['contacts', 'Contact', true])).toEqual(expected);
    expect(named(['contacts', 'Contact', true], ['a_people', 'Contact'])).toEqual(expected);
  });

  it('keeps clear of shapes of other objects, and of what every document has', () => {
    expect(named(['forms', 'Contact create'], ['contacts', 'Contact', true])).toEqual({
      contacts: 'Contact',
      forms: 'Forms',
    });
    expect(named(['errors', 'Error'])).toEqual({ errors: 'Errors' });
    expect(named(['filter_group', 'Filter group'])).toEqual({ filter_group: 'FilterGroup2' });
  });

  it('tells apart what differs in case alone', () => {
    expect(named(['a', 'Deal'], ['b', 'DEAL'])).toEqual({ a: 'Deal', b: 'B' });
  });

  it('takes objects called like members of every object', () => {
    expect(named(['constructor', 'constructor'], ['tostring', 'toString'])).toEqual({
      constructor: 'Constructor',
      tostring: 'ToString',
    });
  });
});

function objectCalled(name: string, labelSingular: string, isSystem: boolean): ObjectDef {
  return {
    id: name,
    kind: isSystem ? 'builtIn' : 'custom',
    name,
    table: name,
    ownFields: [],
    label: labelSingular,
    labelSingular,
    isSystem,
    isHidden: false,
    iconName: null,
    color: null,
    displayField: 'id',
    fields: [],
    attributes: new Map(),
  };
}

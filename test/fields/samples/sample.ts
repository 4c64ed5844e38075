/** What the conformance suite needs to know of a type: values, how they read, and filters that tell them apart. */
import type { FieldDef, FieldTypeName, Option } from '../../../src/fields/field-def.ts';
import type { DecodeContext, PipelineDef, PipelineStepDef } from '../../../src/fields/field-type.ts';
import type { OperatorName } from '../../../src/fields/operators/operator.ts';
import { newId } from '../../../src/lib/id.ts';
import type { Json } from '../../../src/lib/json.ts';

/** `read` is the JSON text; `cell` the CSV cell, '' where the value is null. */
export interface SampleValue {
  readonly written: Json;
  readonly read: string;
  readonly cell: string;
  /** What filters and sorts see of it, where that is not what is read. */
  readonly seen?: Json;
  /** The cell says less than the value: labels are lost, or the parts of an address. */
  readonly lossy?: true;
}

export interface Sample {
  readonly field: FieldDef;
  readonly values: readonly SampleValue[];
  /** Values that `decode` refuses, with a part of the reason. */
  readonly refused: readonly (readonly [Json, string])[];
  /** Cells as other programs write them, and what they mean. */
  readonly cells: readonly (readonly [string, Json])[];
  /** Filters; together they use every operator of the type. */
  readonly filters: readonly (readonly [OperatorName, Json])[];
  /** Filter values that are refused. */
  readonly badFilters: readonly (readonly [OperatorName, Json, string])[];
}

export const options: readonly Option[] = [
  { value: 'new', label: 'New' },
  { value: 'in_progress', label: 'Under way' },
  { value: 'done', label: 'Done; "closed", {really}' },
];

export const pipelines: readonly PipelineDef[] = [
  {
    id: '0190a000-0000-7000-8000-000000000001',
    name: 'Sales',
    objectName: 'samples',
    isDefault: true,
    steps: [
      step('0190a000-0000-7000-8000-000000000011', 'Lead', 0, 'ongoing'),
      step('0190a000-0000-7000-8000-000000000012', 'Won', 1, 'won'),
    ],
  },
  {
    id: '0190a000-0000-7000-8000-000000000002',
    name: 'Renewals',
    objectName: 'samples',
    isDefault: false,
    steps: [step('0190a000-0000-7000-8000-000000000021', 'Won', 0, 'won')],
  },
];

function step(id: string, name: string, index: number, kind: PipelineStepDef['kind']): PipelineStepDef {
  return { id, name, order_index: index, kind, questions: [], forcedValues: {}, defaultValues: {} };
}

export const decodeContext: DecodeContext = { currency: 'USD', timeZone: 'Europe/Berlin', pipelines };

/** Friday, 30 October 2026, 23:30 in Berlin. */
export const filterContext = { now: Date.parse('2026-10-30T22:30:00Z'), timeZone: 'Europe/Berlin' };

export function testField(type: FieldTypeName, name = 'f', more: Partial<FieldDef> = {}): FieldDef {
  return {
    id: newId(),
    name,
    label: name,
    type,
    isRequired: false,
    isReadonly: false,
    isSearchable: false,
    isHidden: false,
    isUnique: false,
    defaultValue: null,
    options: null,
    ...more,
  };
}

export const nothing: SampleValue = { written: null, read: 'null', cell: '' };
export const nullFilters: Sample['filters'] = [
  ['is_null', null],
  ['is_not_null', null],
  ['is_empty', null],
  ['is_not_empty', null],
];

-- An installation of 0.1.0 with the first version of each schema: an organization with the objects of examples/projects.json,
-- five records, one of them in the trash, and two users. Its root secret is that of the tests. Never changed.
CREATE SCHEMA kith;
CREATE SCHEMA org_01a202aa9c4d7009bac172de5db5700b;
CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public;
CREATE TABLE kith.datasources (
    id uuid NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    url text COLLATE pg_catalog."C",
    engine text NOT NULL COLLATE pg_catalog."C",
    created_at timestamp with time zone NOT NULL
);
CREATE TABLE kith.migrations (
    version integer NOT NULL,
    name text NOT NULL,
    applied_at timestamp with time zone NOT NULL
);
CREATE TABLE kith.organizations (
    id uuid NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    schema_name text NOT NULL COLLATE pg_catalog."C",
    datasource_id uuid NOT NULL,
    schema_version integer NOT NULL,
    state text NOT NULL COLLATE pg_catalog."C",
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT organizations_state_check CHECK ((state = ANY (ARRAY['provisioning'::text, 'active'::text])))
);
CREATE TABLE kith.people (
    id uuid NOT NULL,
    email text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    created_at timestamp with time zone NOT NULL
);
CREATE TABLE kith.tokens (
    id uuid NOT NULL,
    organization_id uuid NOT NULL
);
CREATE TABLE org_01a202aa9c4d7009bac172de5db5700b._fields (
    id uuid NOT NULL,
    object_id uuid NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    "position" integer NOT NULL,
    definition jsonb NOT NULL
);
CREATE TABLE org_01a202aa9c4d7009bac172de5db5700b._history (
    id bigint NOT NULL,
    object_id uuid NOT NULL,
    record_id uuid NOT NULL,
    action text NOT NULL COLLATE pg_catalog."C",
    before jsonb,
    links jsonb,
    actor_id uuid,
    token_id uuid,
    agent text COLLATE pg_catalog."C",
    means text NOT NULL COLLATE pg_catalog."C",
    change_set uuid NOT NULL,
    at timestamp with time zone NOT NULL
);
ALTER TABLE org_01a202aa9c4d7009bac172de5db5700b._history ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME org_01a202aa9c4d7009bac172de5db5700b._history_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE org_01a202aa9c4d7009bac172de5db5700b._integrations (
    id uuid NOT NULL,
    workspace_user_id uuid NOT NULL,
    provider text NOT NULL COLLATE pg_catalog."C",
    account_email text NOT NULL COLLATE pg_catalog."C",
    status text NOT NULL COLLATE pg_catalog."C",
    last_sync_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT _integrations_status_check CHECK ((status = ANY (ARRAY['active'::text, 'expired'::text, 'error'::text])))
);
CREATE TABLE org_01a202aa9c4d7009bac172de5db5700b._link_44fc8ee63fe9 (
    source_id uuid NOT NULL,
    target_id uuid NOT NULL,
    "position" integer NOT NULL,
    role text COLLATE pg_catalog."C"
);
CREATE TABLE org_01a202aa9c4d7009bac172de5db5700b._link_f5ca80f79e09 (
    source_id uuid NOT NULL,
    target_id uuid NOT NULL,
    "position" integer NOT NULL,
    role text COLLATE pg_catalog."C"
);
CREATE TABLE org_01a202aa9c4d7009bac172de5db5700b._list_entries (
    id uuid NOT NULL,
    list_id uuid NOT NULL,
    object_id uuid NOT NULL,
    record_id uuid NOT NULL,
    entry_fields jsonb DEFAULT '{}'::jsonb NOT NULL,
    created_by uuid,
    created_at timestamp with time zone NOT NULL
);
CREATE TABLE org_01a202aa9c4d7009bac172de5db5700b._lists (
    id uuid NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    description text COLLATE pg_catalog."C",
    icon_name text COLLATE pg_catalog."C",
    color text COLLATE pg_catalog."C",
    object_types text[] NOT NULL,
    fields jsonb DEFAULT '[]'::jsonb NOT NULL,
    created_by uuid,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL
);
CREATE TABLE org_01a202aa9c4d7009bac172de5db5700b._objects (
    id uuid NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    "position" integer NOT NULL,
    definition jsonb NOT NULL
);
CREATE TABLE org_01a202aa9c4d7009bac172de5db5700b._organization (
    id uuid NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    currency text NOT NULL COLLATE pg_catalog."C",
    timezone text NOT NULL COLLATE pg_catalog."C",
    epoch bigint NOT NULL,
    moved boolean DEFAULT false NOT NULL,
    model_version bigint NOT NULL,
    schema_version integer NOT NULL,
    data_key text NOT NULL COLLATE pg_catalog."C",
    created_at timestamp with time zone NOT NULL
);
CREATE TABLE org_01a202aa9c4d7009bac172de5db5700b._pipeline_steps (
    id uuid NOT NULL,
    pipeline_id uuid NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    order_index integer NOT NULL,
    definition jsonb NOT NULL
);
CREATE TABLE org_01a202aa9c4d7009bac172de5db5700b._pipelines (
    id uuid NOT NULL,
    object_id uuid NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    is_default boolean NOT NULL,
    "position" integer NOT NULL
);
CREATE TABLE org_01a202aa9c4d7009bac172de5db5700b._roles (
    id uuid NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    is_admin boolean NOT NULL,
    permissions jsonb NOT NULL,
    "position" integer NOT NULL
);
CREATE TABLE org_01a202aa9c4d7009bac172de5db5700b._state (
    object_id uuid NOT NULL,
    bucket integer NOT NULL,
    rows bigint NOT NULL,
    version bigint NOT NULL
);
CREATE TABLE org_01a202aa9c4d7009bac172de5db5700b._tokens (
    id uuid NOT NULL,
    workspace_user_id uuid NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    scopes text[] NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone,
    last_used_at timestamp with time zone,
    revoked_at timestamp with time zone
);
CREATE TABLE org_01a202aa9c4d7009bac172de5db5700b._unique_values (
    object_id uuid NOT NULL,
    field_id uuid NOT NULL,
    value text NOT NULL COLLATE pg_catalog."C",
    record_id uuid NOT NULL
);
CREATE TABLE org_01a202aa9c4d7009bac172de5db5700b._users (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    email text NOT NULL COLLATE pg_catalog."C",
    role_id uuid NOT NULL,
    is_active boolean NOT NULL,
    search_text text NOT NULL COLLATE pg_catalog."C",
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL
);
CREATE TABLE org_01a202aa9c4d7009bac172de5db5700b.companies (
    id uuid NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    deleted_at timestamp with time zone,
    name text COLLATE pg_catalog."C",
    domain text COLLATE pg_catalog."C",
    industry text COLLATE pg_catalog."C",
    employees bigint,
    annual_revenue numeric,
    annual_revenue__currency text COLLATE pg_catalog."C",
    phones jsonb,
    linkedin_url text COLLATE pg_catalog."C",
    address jsonb,
    description text COLLATE pg_catalog."C",
    owner uuid,
    created_by uuid,
    search_text text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    search_parts jsonb DEFAULT '{}'::jsonb NOT NULL
);
CREATE TABLE org_01a202aa9c4d7009bac172de5db5700b.contacts (
    id uuid NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    deleted_at timestamp with time zone,
    first_name text COLLATE pg_catalog."C",
    last_name text COLLATE pg_catalog."C",
    emails jsonb,
    phones jsonb,
    job_title text COLLATE pg_catalog."C",
    company_id uuid,
    linkedin_url text COLLATE pg_catalog."C",
    address jsonb,
    tags text[] COLLATE pg_catalog."C",
    birthday date,
    do_not_contact boolean,
    owner uuid,
    created_by uuid,
    search_text text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    search_parts jsonb DEFAULT '{}'::jsonb NOT NULL
);
CREATE TABLE org_01a202aa9c4d7009bac172de5db5700b.opportunities (
    id uuid NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    deleted_at timestamp with time zone,
    name text COLLATE pg_catalog."C",
    amount numeric,
    amount__currency text COLLATE pg_catalog."C",
    probability numeric,
    close_date date,
    source text COLLATE pg_catalog."C",
    company_id uuid,
    pipeline_id uuid,
    pipeline_step_id uuid,
    pipeline_step_entered_at timestamp with time zone,
    owner uuid,
    created_by uuid,
    search_text text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    search_parts jsonb DEFAULT '{}'::jsonb NOT NULL
);
CREATE TABLE org_01a202aa9c4d7009bac172de5db5700b.projects (
    id uuid NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    deleted_at timestamp with time zone,
    name text COLLATE pg_catalog."C",
    code text COLLATE pg_catalog."C",
    stage text COLLATE pg_catalog."C",
    tags text[] COLLATE pg_catalog."C",
    company_id uuid,
    contact_id uuid,
    about uuid,
    about__object text COLLATE pg_catalog."C",
    budget numeric,
    budget__currency text COLLATE pg_catalog."C",
    share numeric,
    pipeline_id uuid,
    pipeline_step_id uuid,
    pipeline_step_entered_at timestamp with time zone,
    owner uuid,
    created_by uuid,
    search_text text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    search_parts jsonb DEFAULT '{}'::jsonb NOT NULL
);
INSERT INTO kith.datasources VALUES
	('01a202aa-9c14-7000-b639-3a46b2ed885f', 'main', NULL, 'postgresql', '2026-11-22 09:51:05.239+00');
INSERT INTO kith.migrations VALUES
	(1, 'directory', '2026-11-22 09:51:05.234+00');
INSERT INTO kith.organizations VALUES
	('01a202aa-9c4d-7009-bac1-72de5db5700b', 'Acme', 'org_01a202aa9c4d7009bac172de5db5700b', '01a202aa-9c14-7000-b639-3a46b2ed885f', 1, 'active', '2026-11-22 09:51:05.293+00');
INSERT INTO kith.people VALUES
	('01a202aa-9c4e-7000-bf18-7b44421a8132', 'ada@acme.test', 'Ada King', '2026-11-22 09:51:05.294+00'),
	('01a202aa-bbad-7000-80f4-a4125e9325bb', 'vi@acme.test', 'Vi Ewer', '2026-11-22 09:51:13.325+00');
INSERT INTO kith.tokens VALUES
	('01a202aa-9c50-7000-b2c6-cdba90e527e7', '01a202aa-9c4d-7009-bac1-72de5db5700b'),
	('01a202aa-bbaf-7000-902a-7f8132ae9166', '01a202aa-9c4d-7009-bac1-72de5db5700b');
INSERT INTO org_01a202aa9c4d7009bac172de5db5700b._fields VALUES
	('01a202aa-9c4c-700d-a1a2-6e8d47fe054a', '01a202aa-9c4c-700c-836b-70e9a36e38e3', 'first_name', 0, '{"type": "TEXT", "label": "First name", "isSearchable": true}'),
	('01a202aa-9c4c-700e-8cb6-5511e2682840', '01a202aa-9c4c-700c-836b-70e9a36e38e3', 'last_name', 1, '{"type": "TEXT", "label": "Last name", "isSearchable": true}'),
	('01a202aa-9c4c-700f-ad21-0d1528a818f1', '01a202aa-9c4c-700c-836b-70e9a36e38e3', 'full_name', 2, '{"type": "CALCULATED", "label": "Full name", "isReadonly": true, "calculation": {"expression": "join('' '', first_name, last_name)", "outputType": "TEXT"}}'),
	('01a202aa-9c4c-7010-8c3a-80a123c7cfc9', '01a202aa-9c4c-700c-836b-70e9a36e38e3', 'emails', 3, '{"type": "EMAILS", "label": "Emails", "isSearchable": true}'),
	('01a202aa-9c4c-7011-b34f-041af721882d', '01a202aa-9c4c-700c-836b-70e9a36e38e3', 'phones', 4, '{"type": "PHONES", "label": "Phones", "isSearchable": true}'),
	('01a202aa-9c4c-7012-b57e-cddc0415e296', '01a202aa-9c4c-700c-836b-70e9a36e38e3', 'job_title', 5, '{"type": "TEXT", "label": "Job title", "isSearchable": true}'),
	('01a202aa-9c4c-7013-86c4-ef67bb3e46ae', '01a202aa-9c4c-700c-836b-70e9a36e38e3', 'company_id', 6, '{"type": "RELATION", "label": "Company", "relationConfig": {"relationType": "BELONGS_TO_ONE", "targetObjectName": "companies"}}'),
	('01a202aa-9c4c-7014-a587-c650ce5d8339', '01a202aa-9c4c-700c-836b-70e9a36e38e3', 'linkedin_url', 7, '{"type": "URL", "label": "LinkedIn"}'),
	('01a202aa-9c4c-7015-bae8-67abab01532a', '01a202aa-9c4c-700c-836b-70e9a36e38e3', 'address', 8, '{"type": "ADDRESS", "label": "Address", "isSearchable": true}'),
	('01a202aa-9c4c-7016-8c81-7aeec308c750', '01a202aa-9c4c-700c-836b-70e9a36e38e3', 'tags', 9, '{"type": "MULTI_SELECT", "label": "Tags", "options": [{"label": "VIP", "value": "vip"}, {"label": "Customer", "value": "customer"}, {"label": "Prospect", "value": "prospect"}, {"label": "Partner", "value": "partner"}, {"label": "Supplier", "value": "supplier"}, {"label": "Investor", "value": "investor"}, {"label": "Press", "value": "press"}, {"label": "Newsletter", "value": "newsletter"}, {"label": "Former customer", "value": "former_customer"}, {"label": "Decision maker", "value": "decision_maker"}, {"label": "Candidate", "value": "candidate"}, {"label": "Other", "value": "other"}]}'),
	('01a202aa-9c4c-7017-ba23-7c9bd9188614', '01a202aa-9c4c-700c-836b-70e9a36e38e3', 'birthday', 10, '{"type": "DATE", "label": "Birthday"}'),
	('01a202aa-9c4c-7018-b3a5-2d2b17a6ad76', '01a202aa-9c4c-700c-836b-70e9a36e38e3', 'do_not_contact', 11, '{"type": "BOOLEAN", "label": "Do not contact", "defaultValue": false}'),
	('01a202aa-9c4c-7019-98ae-7b85d09bd1ab', '01a202aa-9c4c-700c-836b-70e9a36e38e3', 'owner', 12, '{"type": "USERS", "label": "Owner"}'),
	('01a202aa-9c4c-701a-b6fc-93758aaa57a3', '01a202aa-9c4c-700c-836b-70e9a36e38e3', 'created_by', 13, '{"type": "USERS", "label": "Created by", "isReadonly": true}'),
	('01a202aa-9c4c-701c-9ed5-f5f413795e51', '01a202aa-9c4c-701b-b879-46cdabd266a8', 'name', 0, '{"type": "TEXT", "label": "Name", "isRequired": true, "isSearchable": true}'),
	('01a202aa-9c4c-701d-aaaa-c08c41bfc540', '01a202aa-9c4c-701b-b879-46cdabd266a8', 'domain', 1, '{"type": "URL", "label": "Domain", "isSearchable": true}'),
	('01a202aa-9c4c-701e-ad7b-a00b00638f8c', '01a202aa-9c4c-701b-b879-46cdabd266a8', 'industry', 2, '{"type": "SELECT", "label": "Industry", "options": [{"label": "Software", "value": "software"}, {"label": "Technology", "value": "technology"}, {"label": "Information technology", "value": "information_technology"}, {"label": "Finance", "value": "finance"}, {"label": "Financials", "value": "financials"}, {"label": "Insurance", "value": "insurance"}, {"label": "Banking", "value": "banking"}, {"label": "Health care", "value": "healthcare"}, {"label": "Medical", "value": "medical"}, {"label": "Pharmaceuticals", "value": "pharmaceuticals"}, {"label": "Biotechnology", "value": "biotechnology"}, {"label": "Retail", "value": "retail"}, {"label": "E-commerce", "value": "ecommerce"}, {"label": "Consumer goods", "value": "consumer_goods"}, {"label": "Consumer discretionary", "value": "consumer_discretionary"}, {"label": "Consumer staples", "value": "consumer_staples"}, {"label": "Food and beverage", "value": "food_and_beverage"}, {"label": "Manufacturing", "value": "manufacturing"}, {"label": "Industrials", "value": "industrials"}, {"label": "Automotive", "value": "automotive"}, {"label": "Aerospace", "value": "aerospace"}, {"label": "Chemicals", "value": "chemicals"}, {"label": "Materials", "value": "materials"}, {"label": "Energy", "value": "energy"}, {"label": "Utilities", "value": "utilities"}, {"label": "Environment", "value": "environment"}, {"label": "Mining", "value": "mining"}, {"label": "Education", "value": "education"}, {"label": "Media", "value": "media"}, {"label": "Entertainment", "value": "entertainment"}, {"label": "Marketing", "value": "marketing"}, {"label": "Publishing", "value": "publishing"}, {"label": "Communication services", "value": "communication_services"}, {"label": "Telecommunications", "value": "telecommunications"}, {"label": "Real estate", "value": "real_estate"}, {"label": "Construction", "value": "construction"}, {"label": "Architecture", "value": "architecture"}, {"label": "Consulting", "value": "consulting"}, {"label": "Legal", "value": "legal"}, {"label": "Accounting", "value": "accounting"}, {"label": "Employment", "value": "employment"}, {"label": "Services", "value": "services"}, {"label": "Transportation", "value": "transportation"}, {"label": "Logistics", "value": "logistics"}, {"label": "Hospitality", "value": "hospitality"}, {"label": "Travel", "value": "travel"}, {"label": "Sports", "value": "sports"}, {"label": "Agriculture", "value": "agriculture"}, {"label": "Government", "value": "government"}, {"label": "Defense", "value": "defense"}, {"label": "Nonprofit", "value": "nonprofit"}, {"label": "Security", "value": "security"}, {"label": "Research", "value": "research"}, {"label": "Other", "value": "other"}]}'),
	('01a202aa-9c4c-701f-a164-add6626360f9', '01a202aa-9c4c-701b-b879-46cdabd266a8', 'employees', 3, '{"type": "INTEGER", "label": "Employees"}'),
	('01a202aa-9c4c-7020-846c-9db38a4538f6', '01a202aa-9c4c-701b-b879-46cdabd266a8', 'annual_revenue', 4, '{"type": "CURRENCY", "label": "Annual revenue"}'),
	('01a202aa-9c4c-7021-b21a-ed59fe644807', '01a202aa-9c4c-701b-b879-46cdabd266a8', 'phones', 5, '{"type": "PHONES", "label": "Phones", "isSearchable": true}'),
	('01a202aa-9c4c-7022-8c2d-37ee8ca36f89', '01a202aa-9c4c-701b-b879-46cdabd266a8', 'linkedin_url', 6, '{"type": "URL", "label": "LinkedIn"}'),
	('01a202aa-9c4c-7023-bfc6-4cbd129f654b', '01a202aa-9c4c-701b-b879-46cdabd266a8', 'address', 7, '{"type": "ADDRESS", "label": "Address", "isSearchable": true}'),
	('01a202aa-9c4c-7024-bdb1-ad75ea619c9a', '01a202aa-9c4c-701b-b879-46cdabd266a8', 'description', 8, '{"type": "LONG_TEXT", "label": "Description", "isSearchable": true}'),
	('01a202aa-9c4c-7025-b402-35581827f1b8', '01a202aa-9c4c-701b-b879-46cdabd266a8', 'owner', 9, '{"type": "USERS", "label": "Owner"}'),
	('01a202aa-9c4c-7026-86b3-a12384ec9499', '01a202aa-9c4c-701b-b879-46cdabd266a8', 'created_by', 10, '{"type": "USERS", "label": "Created by", "isReadonly": true}'),
	('01a202aa-a5ae-7000-9375-f3943313d750', '01a202aa-9c4c-701b-b879-46cdabd266a8', 'project_total', 11, '{"type": "ROLLUP", "label": "Project total", "rollup": {"field": "budget", "function": "SUM", "objectName": "projects", "relationField": "company_id"}, "isReadonly": true}'),
	('01a202aa-9c4c-7001-8e11-0bde850649bd', '01a202aa-9c4c-7000-b4c8-4bce6223fbeb', 'name', 0, '{"type": "TEXT", "label": "Name", "isRequired": true, "isSearchable": true}'),
	('01a202aa-9c4c-7002-a56f-c72581933ece', '01a202aa-9c4c-7000-b4c8-4bce6223fbeb', 'amount', 1, '{"type": "CURRENCY", "label": "Amount"}'),
	('01a202aa-9c4c-7003-b45b-1291b5ea2862', '01a202aa-9c4c-7000-b4c8-4bce6223fbeb', 'probability', 2, '{"type": "PERCENT", "label": "Probability"}'),
	('01a202aa-9c4c-7004-8dfa-e47c996d82c9', '01a202aa-9c4c-7000-b4c8-4bce6223fbeb', 'close_date', 3, '{"type": "DATE", "label": "Close date"}'),
	('01a202aa-9c4c-7005-b4fe-fea0852295d8', '01a202aa-9c4c-7000-b4c8-4bce6223fbeb', 'source', 4, '{"type": "SELECT", "label": "Source", "options": [{"label": "Inbound", "value": "inbound"}, {"label": "Outbound", "value": "outbound"}, {"label": "Referral", "value": "referral"}, {"label": "Website", "value": "website"}, {"label": "Event", "value": "event"}, {"label": "Partner", "value": "partner"}, {"label": "Advertising", "value": "advertising"}, {"label": "Cold call", "value": "cold_call"}, {"label": "Email campaign", "value": "email_campaign"}, {"label": "Social media", "value": "social_media"}, {"label": "Other", "value": "other"}]}'),
	('01a202aa-9c4c-7006-9bf6-a764805bd988', '01a202aa-9c4c-7000-b4c8-4bce6223fbeb', 'company_id', 5, '{"type": "RELATION", "label": "Company", "relationConfig": {"relationType": "BELONGS_TO_ONE", "targetObjectName": "companies"}}'),
	('01a202aa-9c4c-7008-b102-f5ca80f79e09', '01a202aa-9c4c-7000-b4c8-4bce6223fbeb', 'contacts', 6, '{"type": "MANY_TO_MANY", "label": "Contacts", "junctionFields": [{"id": "01a202aa-9c4c-7007-87fb-549a33b07b5f", "name": "role", "definition": {"type": "TEXT", "label": "Role"}}], "relationConfig": {"relationType": "MANY_TO_MANY", "targetObjectName": "contacts"}}'),
	('01a202aa-9c4c-7009-861f-e4fa462def38', '01a202aa-9c4c-7000-b4c8-4bce6223fbeb', 'pipeline', 7, '{"type": "PIPELINE", "label": "Pipeline"}'),
	('01a202aa-9c4c-700a-9699-24de766be776', '01a202aa-9c4c-7000-b4c8-4bce6223fbeb', 'owner', 8, '{"type": "USERS", "label": "Owner"}'),
	('01a202aa-9c4c-700b-919c-df4c41707f32', '01a202aa-9c4c-7000-b4c8-4bce6223fbeb', 'created_by', 9, '{"type": "USERS", "label": "Created by", "isReadonly": true}'),
	('01a202aa-a5ae-7002-9677-8ca1ee567286', '01a202aa-a5ae-7001-a21d-91d28e8b200d', 'name', 0, '{"type": "TEXT", "label": "Name", "isRequired": true, "isSearchable": true}'),
	('01a202aa-a5ae-7003-a455-4a1397ad558b', '01a202aa-a5ae-7001-a21d-91d28e8b200d', 'code', 1, '{"type": "TEXT", "label": "Code", "isUnique": true}'),
	('01a202aa-a5ae-7004-8341-49ff7e632c75', '01a202aa-a5ae-7001-a21d-91d28e8b200d', 'stage', 2, '{"type": "SELECT", "label": "Stage", "options": [{"color": "#94a3b8", "label": "New", "value": "new"}, {"label": "Done", "value": "done"}], "defaultValue": "new"}'),
	('01a202aa-a5ae-7005-930c-c51418111af8', '01a202aa-a5ae-7001-a21d-91d28e8b200d', 'tags', 3, '{"type": "MULTI_SELECT", "label": "Tags", "options": [{"label": "A", "value": "a"}]}'),
	('01a202aa-a5ae-7006-8fd6-3aad8a030452', '01a202aa-a5ae-7001-a21d-91d28e8b200d', 'company_id', 4, '{"type": "RELATION", "label": "Company", "relationConfig": {"relationType": "BELONGS_TO_ONE", "targetObjectName": "companies"}}'),
	('01a202aa-a5ae-7007-bc93-0538ef1a462e', '01a202aa-a5ae-7001-a21d-91d28e8b200d', 'contact_id', 5, '{"type": "DEPENDENT_RELATION", "label": "Contact", "dependsOn": "company_id", "relationConfig": {"relationType": "BELONGS_TO_ONE", "targetObjectName": "contacts"}}'),
	('01a202aa-a5ae-7008-b099-44fc8ee63fe9', '01a202aa-a5ae-7001-a21d-91d28e8b200d', 'members', 6, '{"type": "MANY_TO_MANY", "label": "Members", "junctionFields": [{"id": "01a202aa-a5ae-7009-8171-1b266e0a5caf", "name": "role", "definition": {"type": "TEXT", "label": "Role"}}], "relationConfig": {"relationType": "MANY_TO_MANY", "targetObjectName": "contacts"}}'),
	('01a202aa-a5ae-700a-9d80-5d5791616545', '01a202aa-a5ae-7001-a21d-91d28e8b200d', 'about', 7, '{"type": "MORPH_RELATION", "label": "About", "relationConfig": {"relationType": "MORPH_RELATION", "targetObjectName": "contacts", "targetObjectNames": ["contacts", "companies"]}}'),
	('01a202aa-a5ae-700b-bb0d-f943a53b0c7d', '01a202aa-a5ae-7001-a21d-91d28e8b200d', 'budget', 8, '{"type": "CURRENCY", "label": "Budget"}'),
	('01a202aa-a5ae-700c-9b2a-6f600b244b51', '01a202aa-a5ae-7001-a21d-91d28e8b200d', 'share', 9, '{"type": "PERCENT", "label": "Share"}'),
	('01a202aa-a5ae-700d-acba-879ff9f9ae21', '01a202aa-a5ae-7001-a21d-91d28e8b200d', 'weighted', 10, '{"type": "CALCULATED", "label": "Weighted", "isReadonly": true, "calculation": {"expression": "budget * share / 100", "outputType": "DECIMAL"}}'),
	('01a202aa-a5ae-700e-9805-c8f787482398', '01a202aa-a5ae-7001-a21d-91d28e8b200d', 'phase', 11, '{"type": "PIPELINE", "label": "Phase"}'),
	('01a202aa-a5ae-700f-ac91-6c7390192290', '01a202aa-a5ae-7001-a21d-91d28e8b200d', 'owner', 12, '{"type": "USERS", "label": "Owner"}'),
	('01a202aa-a5ae-7010-b5d9-7f0f0df50a19', '01a202aa-a5ae-7001-a21d-91d28e8b200d', 'created_by', 13, '{"type": "USERS", "label": "Created by", "isReadonly": true}');
INSERT INTO org_01a202aa9c4d7009bac172de5db5700b._history OVERRIDING SYSTEM VALUE VALUES
	(1, '01a202aa-9c4c-701b-b879-46cdabd266a8', '01a202aa-ad40-7000-9a3b-3f2d61748390', 'create', NULL, NULL, '01a202aa-9c52-7000-92a2-e10667cb8e45', NULL, NULL, 'import', '01a202aa-ad1c-7000-a583-f06305f8e691', '2026-11-22 09:51:09.651301+00'),
	(2, '01a202aa-9c4c-701b-b879-46cdabd266a8', '01a202aa-ad41-7000-bb4d-c76fad2956b4', 'create', NULL, NULL, '01a202aa-9c52-7000-92a2-e10667cb8e45', NULL, NULL, 'import', '01a202aa-ad1c-7000-a583-f06305f8e691', '2026-11-22 09:51:09.651532+00'),
	(3, '01a202aa-9c4c-701b-b879-46cdabd266a8', '01a202aa-ad4d-7000-b2de-8f8a215fac65', 'create', NULL, NULL, '01a202aa-9c52-7000-92a2-e10667cb8e45', NULL, NULL, 'import', '01a202aa-ad1c-7000-a583-f06305f8e691', '2026-11-22 09:51:09.651537+00'),
	(4, '01a202aa-9c4c-700c-836b-70e9a36e38e3', '01a202aa-b4bf-7000-9148-c3efeeb9ba5a', 'create', NULL, NULL, '01a202aa-9c52-7000-92a2-e10667cb8e45', NULL, NULL, 'import', '01a202aa-b485-7000-a220-b2d7abac5b61', '2026-11-22 09:51:11.570135+00'),
	(5, '01a202aa-9c4c-700c-836b-70e9a36e38e3', '01a202aa-b4c0-7000-8013-3839d13603ac', 'create', NULL, NULL, '01a202aa-9c52-7000-92a2-e10667cb8e45', NULL, NULL, 'import', '01a202aa-b485-7000-a220-b2d7abac5b61', '2026-11-22 09:51:11.570297+00'),
	(6, '01a202aa-9c4c-701b-b879-46cdabd266a8', '01a202aa-ad4d-7000-b2de-8f8a215fac65', 'delete', '{}', NULL, '01a202aa-9c52-7000-92a2-e10667cb8e45', '01a202aa-9c50-7000-b2c6-cdba90e527e7', NULL, 'api', '01a202aa-c8aa-7001-abe3-ddeedbf6b1da', '2026-11-22 09:51:16.667905+00'),
	(7, '01a202aa-9c4c-7000-b4c8-4bce6223fbeb', '01a202aa-cac8-7000-a814-e0440a53e137', 'create', NULL, '{"01a202aa-9c4c-7008-b102-f5ca80f79e09": {"added": ["01a202aa-b4bf-7000-9148-c3efeeb9ba5a"], "removed": []}}', '01a202aa-9c52-7000-92a2-e10667cb8e45', '01a202aa-9c50-7000-b2c6-cdba90e527e7', NULL, 'api', '01a202aa-cab4-7000-96ad-c0417866bbc6', '2026-11-22 09:51:17.213562+00');
INSERT INTO org_01a202aa9c4d7009bac172de5db5700b._link_f5ca80f79e09 VALUES
	('01a202aa-cac8-7000-a814-e0440a53e137', '01a202aa-b4bf-7000-9148-c3efeeb9ba5a', 0, NULL);
INSERT INTO org_01a202aa9c4d7009bac172de5db5700b._objects VALUES
	('01a202aa-9c4c-700c-836b-70e9a36e38e3', 'contacts', 0, '{"color": "#3b82f6", "label": "Contacts", "iconName": "user", "isSystem": true, "displayField": "full_name", "labelSingular": "Contact"}'),
	('01a202aa-9c4c-701b-b879-46cdabd266a8', 'companies', 1, '{"color": "#10b981", "label": "Companies", "iconName": "building", "isSystem": true, "displayField": "name", "labelSingular": "Company"}'),
	('01a202aa-9c4c-7000-b4c8-4bce6223fbeb', 'opportunities', 2, '{"color": "#f59e0b", "label": "Opportunities", "iconName": "target", "isSystem": true, "displayField": "name", "labelSingular": "Opportunity"}'),
	('01a202aa-a5ae-7001-a21d-91d28e8b200d', 'projects', 3, '{"color": "#3b82f6", "label": "Projects", "iconName": "folder", "isSystem": false, "displayField": "name", "labelSingular": "Project"}');
INSERT INTO org_01a202aa9c4d7009bac172de5db5700b._organization VALUES
	('01a202aa-9c4d-7009-bac1-72de5db5700b', 'Acme', 'EUR', 'UTC', 1, false, 2, 1, 'SPXZhu7J.xM-uac2BOLIPxXDl97JKt-_kv5t8F9d1HKwhlvGs1f1HskcGGbKqnyJwUc7SR7TpKRq9rC41ReEaZUxn', '2026-11-22 09:51:05.361+00');
INSERT INTO org_01a202aa9c4d7009bac172de5db5700b._pipeline_steps VALUES
	('01a202aa-9c4d-7000-a052-b52581932fdd', '01a202aa-9c4c-7027-aba3-99eb4d426765', 'Lead', 0, '{"kind": "ongoing"}'),
	('01a202aa-9c4d-7001-8bf1-6eceb3e21249', '01a202aa-9c4c-7027-aba3-99eb4d426765', 'Qualified', 1, '{"kind": "ongoing"}'),
	('01a202aa-9c4d-7002-892f-6a814e821f9d', '01a202aa-9c4c-7027-aba3-99eb4d426765', 'Proposal', 2, '{"kind": "ongoing"}'),
	('01a202aa-9c4d-7003-9102-991fc39a70fc', '01a202aa-9c4c-7027-aba3-99eb4d426765', 'Negotiation', 3, '{"kind": "ongoing"}'),
	('01a202aa-9c4d-7004-97c4-e140022ea5e3', '01a202aa-9c4c-7027-aba3-99eb4d426765', 'Won', 4, '{"kind": "won"}'),
	('01a202aa-9c4d-7005-aa84-77f0f2f57685', '01a202aa-9c4c-7027-aba3-99eb4d426765', 'Lost', 5, '{"kind": "lost"}'),
	('01a202aa-a5af-7001-a80a-4ac70af158f0', '01a202aa-a5af-7000-a154-11c092b03de3', 'Scoping', 0, '{"kind": "ongoing", "questions": [{"is_forced_value": false, "linked_field_name": "budget", "required_for_closure": false, "required_for_next_stage": true}]}'),
	('01a202aa-a5af-7002-acad-dd41727548ed', '01a202aa-a5af-7000-a154-11c092b03de3', 'Build', 1, '{"kind": "ongoing", "questions": [{"is_forced_value": false, "linked_field_name": "share", "required_for_closure": true, "required_for_next_stage": false}], "default_values": {"share": 50}}'),
	('01a202aa-a5af-7003-a4fd-5bfdae172ca9', '01a202aa-a5af-7000-a154-11c092b03de3', 'Won', 2, '{"kind": "won", "questions": [{"is_forced_value": true, "linked_field_name": "share", "required_for_closure": true, "required_for_next_stage": false}], "forced_values": {"share": 100}}'),
	('01a202aa-a5af-7004-bace-c07ccd180edf', '01a202aa-a5af-7000-a154-11c092b03de3', 'Lost', 3, '{"kind": "lost"}');
INSERT INTO org_01a202aa9c4d7009bac172de5db5700b._pipelines VALUES
	('01a202aa-9c4c-7027-aba3-99eb4d426765', '01a202aa-9c4c-7000-b4c8-4bce6223fbeb', 'Sales', true, 0),
	('01a202aa-a5af-7000-a154-11c092b03de3', '01a202aa-a5ae-7001-a21d-91d28e8b200d', 'Delivery', true, 1);
INSERT INTO org_01a202aa9c4d7009bac172de5db5700b._roles VALUES
	('01a202aa-9c4d-7006-8b9d-6e6b1dacc1f3', 'Admin', true, '{"*": {"view": "all", "create": true, "delete": "all", "update": "all"}}', 0),
	('01a202aa-9c4d-7007-b0cb-7619d74f06fe', 'Member', false, '{"*": {"view": "all", "create": true, "delete": "own", "update": "all"}}', 1),
	('01a202aa-9c4d-7008-bc51-33ebd27d474b', 'Viewer', false, '{"*": {"view": "all", "create": false, "delete": "none", "update": "none"}}', 2),
	('01a202aa-a5af-7005-918d-efedb60f5065', 'Rep', false, '{"*": {"view": "all", "create": true, "delete": "none", "update": "own"}, "projects": {"view": "own", "create": true, "delete": "own", "fields": {"share": "none", "budget": "read"}, "update": "own"}, "companies": {"view": {"type": "AND", "conditions": [{"field": "industry", "value": "software", "operator": "equals"}]}, "create": false, "delete": "none", "update": "none"}}', 3);
INSERT INTO org_01a202aa9c4d7009bac172de5db5700b._state VALUES
	('01a202aa-9c4c-7000-b4c8-4bce6223fbeb', 0, 0, 1),
	('01a202aa-9c4c-700c-836b-70e9a36e38e3', 0, 0, 1),
	('01a202aa-9c4c-701b-b879-46cdabd266a8', 0, 0, 1),
	('01a202aa-a5ae-7001-a21d-91d28e8b200d', 0, 0, 1),
	('01a202aa-9c4c-701b-b879-46cdabd266a8', 44, 3, 1),
	('01a202aa-9c4c-700c-836b-70e9a36e38e3', 14, 2, 1),
	('01a202aa-9c4c-701b-b879-46cdabd266a8', 53, -1, 1),
	('01a202aa-9c4c-7000-b4c8-4bce6223fbeb', 53, 1, 1);
INSERT INTO org_01a202aa9c4d7009bac172de5db5700b._tokens VALUES
	('01a202aa-bbaf-7000-902a-7f8132ae9166', '01a202aa-bbb2-7000-987b-6b8ead5a4393', 'First token', '{mcp}', '2026-11-22 09:51:13+00', NULL, NULL, NULL),
	('01a202aa-9c50-7000-b2c6-cdba90e527e7', '01a202aa-9c52-7000-92a2-e10667cb8e45', 'Admin', '{mcp}', '2026-11-22 09:51:05+00', NULL, '2026-11-22 09:51:16.526+00', NULL);
INSERT INTO org_01a202aa9c4d7009bac172de5db5700b._users VALUES
	('01a202aa-9c52-7000-92a2-e10667cb8e45', '01a202aa-9c4e-7000-bf18-7b44421a8132', 'Ada King', 'ada@acme.test', '01a202aa-9c4d-7006-8b9d-6e6b1dacc1f3', true, 'ada king ada@acme.test', '2026-11-22 09:51:05.361+00', '2026-11-22 09:51:05.361+00'),
	('01a202aa-bbb2-7000-987b-6b8ead5a4393', '01a202aa-bbad-7000-80f4-a4125e9325bb', 'Vi Ewer', 'vi@acme.test', '01a202aa-9c4d-7008-bc51-33ebd27d474b', true, 'vi ewer vi@acme.test', '2026-11-22 09:51:13.331+00', '2026-11-22 09:51:13.331+00');
INSERT INTO org_01a202aa9c4d7009bac172de5db5700b.companies VALUES
	('01a202aa-ad40-7000-9a3b-3f2d61748390', '2026-11-22 09:51:09.617+00', '2026-11-22 09:51:09.617+00', NULL, 'Globex', 'globex.test', NULL, NULL, 1200, 'EUR', NULL, NULL, NULL, NULL, '01a202aa-9c52-7000-92a2-e10667cb8e45', '01a202aa-9c52-7000-92a2-e10667cb8e45', ' globex globex.test', '{"01a202aa-9c4c-701c-9ed5-f5f413795e51": "globex", "01a202aa-9c4c-701d-aaaa-c08c41bfc540": "globex.test"}'),
	('01a202aa-ad41-7000-bb4d-c76fad2956b4', '2026-11-22 09:51:09.617+00', '2026-11-22 09:51:09.617+00', NULL, 'Initech', 'initech.test', NULL, NULL, 7, 'EUR', NULL, NULL, NULL, NULL, '01a202aa-9c52-7000-92a2-e10667cb8e45', '01a202aa-9c52-7000-92a2-e10667cb8e45', ' initech initech.test', '{"01a202aa-9c4c-701c-9ed5-f5f413795e51": "initech", "01a202aa-9c4c-701d-aaaa-c08c41bfc540": "initech.test"}'),
	('01a202aa-ad4d-7000-b2de-8f8a215fac65', '2026-11-22 09:51:09.617+00', '2026-11-22 09:51:09.617+00', '2026-11-22 09:51:16.65+00', 'Gone', 'gone.test', NULL, NULL, 1, 'EUR', NULL, NULL, NULL, NULL, '01a202aa-9c52-7000-92a2-e10667cb8e45', '01a202aa-9c52-7000-92a2-e10667cb8e45', ' gone gone.test', '{"01a202aa-9c4c-701c-9ed5-f5f413795e51": "gone", "01a202aa-9c4c-701d-aaaa-c08c41bfc540": "gone.test"}');
INSERT INTO org_01a202aa9c4d7009bac172de5db5700b.contacts VALUES
	('01a202aa-b4bf-7000-9148-c3efeeb9ba5a', '2026-11-22 09:51:11.514+00', '2026-11-22 09:51:11.514+00', NULL, 'Bob', 'Ray', '[{"email": "bob@globex.test", "label": "work", "is_primary": true}]', NULL, NULL, '01a202aa-ad40-7000-9a3b-3f2d61748390', NULL, NULL, NULL, NULL, false, '01a202aa-9c52-7000-92a2-e10667cb8e45', '01a202aa-9c52-7000-92a2-e10667cb8e45', ' bob ray bob@globex.test', '{"01a202aa-9c4c-700d-a1a2-6e8d47fe054a": "bob", "01a202aa-9c4c-700e-8cb6-5511e2682840": "ray", "01a202aa-9c4c-7010-8c3a-80a123c7cfc9": "bob@globex.test"}'),
	('01a202aa-b4c0-7000-8013-3839d13603ac', '2026-11-22 09:51:11.514+00', '2026-11-22 09:51:11.514+00', NULL, 'Éva', 'Ångström', '[{"email": "eva@initech.test", "label": "work", "is_primary": true}]', NULL, NULL, '01a202aa-ad41-7000-bb4d-c76fad2956b4', NULL, NULL, NULL, NULL, false, '01a202aa-9c52-7000-92a2-e10667cb8e45', '01a202aa-9c52-7000-92a2-e10667cb8e45', ' eva angstrom eva@initech.test', '{"01a202aa-9c4c-700d-a1a2-6e8d47fe054a": "eva", "01a202aa-9c4c-700e-8cb6-5511e2682840": "angstrom", "01a202aa-9c4c-7010-8c3a-80a123c7cfc9": "eva@initech.test"}');
INSERT INTO org_01a202aa9c4d7009bac172de5db5700b.opportunities VALUES
	('01a202aa-cac8-7000-a814-e0440a53e137', '2026-11-22 09:51:17.172+00', '2026-11-22 09:51:17.172+00', NULL, 'Big deal', 5000, 'EUR', NULL, NULL, NULL, NULL, '01a202aa-9c4c-7027-aba3-99eb4d426765', '01a202aa-9c4d-7000-a052-b52581932fdd', '2026-11-22 09:51:17.172+00', '01a202aa-9c52-7000-92a2-e10667cb8e45', '01a202aa-9c52-7000-92a2-e10667cb8e45', ' big deal', '{"01a202aa-9c4c-7001-8e11-0bde850649bd": "big deal"}');
SELECT pg_catalog.setval('org_01a202aa9c4d7009bac172de5db5700b._history_id_seq', 7, true);
ALTER TABLE ONLY kith.datasources
    ADD CONSTRAINT datasources_name_key UNIQUE (name);
ALTER TABLE ONLY kith.datasources
    ADD CONSTRAINT datasources_pkey PRIMARY KEY (id);
ALTER TABLE ONLY kith.migrations
    ADD CONSTRAINT migrations_pkey PRIMARY KEY (version);
ALTER TABLE ONLY kith.organizations
    ADD CONSTRAINT organizations_pkey PRIMARY KEY (id);
ALTER TABLE ONLY kith.organizations
    ADD CONSTRAINT organizations_schema_name_key UNIQUE (schema_name);
ALTER TABLE ONLY kith.people
    ADD CONSTRAINT people_email_key UNIQUE (email);
ALTER TABLE ONLY kith.people
    ADD CONSTRAINT people_pkey PRIMARY KEY (id);
ALTER TABLE ONLY kith.tokens
    ADD CONSTRAINT tokens_pkey PRIMARY KEY (id);
ALTER TABLE ONLY org_01a202aa9c4d7009bac172de5db5700b._fields
    ADD CONSTRAINT _fields_object_id_name_key UNIQUE (object_id, name);
ALTER TABLE ONLY org_01a202aa9c4d7009bac172de5db5700b._fields
    ADD CONSTRAINT _fields_pkey PRIMARY KEY (id);
ALTER TABLE ONLY org_01a202aa9c4d7009bac172de5db5700b._history
    ADD CONSTRAINT _history_pkey PRIMARY KEY (id);
ALTER TABLE ONLY org_01a202aa9c4d7009bac172de5db5700b._integrations
    ADD CONSTRAINT _integrations_pkey PRIMARY KEY (id);
ALTER TABLE ONLY org_01a202aa9c4d7009bac172de5db5700b._link_44fc8ee63fe9
    ADD CONSTRAINT _link_44fc8ee63fe9_pkey PRIMARY KEY (source_id, target_id);
ALTER TABLE ONLY org_01a202aa9c4d7009bac172de5db5700b._link_f5ca80f79e09
    ADD CONSTRAINT _link_f5ca80f79e09_pkey PRIMARY KEY (source_id, target_id);
ALTER TABLE ONLY org_01a202aa9c4d7009bac172de5db5700b._list_entries
    ADD CONSTRAINT _list_entries_list_id_record_id_key UNIQUE (list_id, record_id);
ALTER TABLE ONLY org_01a202aa9c4d7009bac172de5db5700b._list_entries
    ADD CONSTRAINT _list_entries_pkey PRIMARY KEY (id);
ALTER TABLE ONLY org_01a202aa9c4d7009bac172de5db5700b._lists
    ADD CONSTRAINT _lists_pkey PRIMARY KEY (id);
ALTER TABLE ONLY org_01a202aa9c4d7009bac172de5db5700b._objects
    ADD CONSTRAINT _objects_name_key UNIQUE (name);
ALTER TABLE ONLY org_01a202aa9c4d7009bac172de5db5700b._objects
    ADD CONSTRAINT _objects_pkey PRIMARY KEY (id);
ALTER TABLE ONLY org_01a202aa9c4d7009bac172de5db5700b._organization
    ADD CONSTRAINT _organization_pkey PRIMARY KEY (id);
ALTER TABLE ONLY org_01a202aa9c4d7009bac172de5db5700b._pipeline_steps
    ADD CONSTRAINT _pipeline_steps_pkey PRIMARY KEY (id);
ALTER TABLE ONLY org_01a202aa9c4d7009bac172de5db5700b._pipelines
    ADD CONSTRAINT _pipelines_object_id_name_key UNIQUE (object_id, name);
ALTER TABLE ONLY org_01a202aa9c4d7009bac172de5db5700b._pipelines
    ADD CONSTRAINT _pipelines_pkey PRIMARY KEY (id);
ALTER TABLE ONLY org_01a202aa9c4d7009bac172de5db5700b._roles
    ADD CONSTRAINT _roles_name_key UNIQUE (name);
ALTER TABLE ONLY org_01a202aa9c4d7009bac172de5db5700b._roles
    ADD CONSTRAINT _roles_pkey PRIMARY KEY (id);
ALTER TABLE ONLY org_01a202aa9c4d7009bac172de5db5700b._state
    ADD CONSTRAINT _state_pkey PRIMARY KEY (object_id, bucket);
ALTER TABLE ONLY org_01a202aa9c4d7009bac172de5db5700b._tokens
    ADD CONSTRAINT _tokens_pkey PRIMARY KEY (id);
ALTER TABLE ONLY org_01a202aa9c4d7009bac172de5db5700b._unique_values
    ADD CONSTRAINT _unique_values_pkey PRIMARY KEY (field_id, value);
ALTER TABLE ONLY org_01a202aa9c4d7009bac172de5db5700b._users
    ADD CONSTRAINT _users_pkey PRIMARY KEY (id);
ALTER TABLE ONLY org_01a202aa9c4d7009bac172de5db5700b._users
    ADD CONSTRAINT _users_user_id_key UNIQUE (user_id);
ALTER TABLE ONLY org_01a202aa9c4d7009bac172de5db5700b.companies
    ADD CONSTRAINT companies_pkey PRIMARY KEY (id);
ALTER TABLE ONLY org_01a202aa9c4d7009bac172de5db5700b.contacts
    ADD CONSTRAINT contacts_pkey PRIMARY KEY (id);
ALTER TABLE ONLY org_01a202aa9c4d7009bac172de5db5700b.opportunities
    ADD CONSTRAINT opportunities_pkey PRIMARY KEY (id);
ALTER TABLE ONLY org_01a202aa9c4d7009bac172de5db5700b.projects
    ADD CONSTRAINT projects_pkey PRIMARY KEY (id);
CREATE INDEX tokens_organization_id_idx ON kith.tokens USING btree (organization_id);
CREATE INDEX _history_change_set_idx ON org_01a202aa9c4d7009bac172de5db5700b._history USING btree (change_set);
CREATE INDEX _history_record_id_id_idx ON org_01a202aa9c4d7009bac172de5db5700b._history USING btree (record_id, id);
CREATE INDEX _integrations_workspace_user_id_idx ON org_01a202aa9c4d7009bac172de5db5700b._integrations USING btree (workspace_user_id);
CREATE INDEX _list_entries_record_id_idx ON org_01a202aa9c4d7009bac172de5db5700b._list_entries USING btree (record_id);
CREATE INDEX _pipeline_steps_pipeline_id_idx ON org_01a202aa9c4d7009bac172de5db5700b._pipeline_steps USING btree (pipeline_id);
CREATE INDEX _tokens_workspace_user_id_idx ON org_01a202aa9c4d7009bac172de5db5700b._tokens USING btree (workspace_user_id);
CREATE INDEX _unique_values_record_id_idx ON org_01a202aa9c4d7009bac172de5db5700b._unique_values USING btree (record_id);
CREATE INDEX _users_created_at_id_idx ON org_01a202aa9c4d7009bac172de5db5700b._users USING btree (created_at, id);
CREATE UNIQUE INDEX _users_lower_idx ON org_01a202aa9c4d7009bac172de5db5700b._users USING btree (lower(email));
CREATE INDEX i_041af721882d ON org_01a202aa9c4d7009bac172de5db5700b.contacts USING gin (phones jsonb_path_ops);
CREATE INDEX i_0538ef1a462e ON org_01a202aa9c4d7009bac172de5db5700b.projects USING btree (contact_id);
CREATE INDEX i_24de766be776 ON org_01a202aa9c4d7009bac172de5db5700b.opportunities USING btree (owner);
CREATE INDEX i_35581827f1b8 ON org_01a202aa9c4d7009bac172de5db5700b.companies USING btree (owner);
CREATE INDEX i_3aad8a030452 ON org_01a202aa9c4d7009bac172de5db5700b.projects USING btree (company_id);
CREATE INDEX i_44fc8ee63fe9 ON org_01a202aa9c4d7009bac172de5db5700b._link_44fc8ee63fe9 USING btree (target_id);
CREATE INDEX i_46cdabd266a8_created ON org_01a202aa9c4d7009bac172de5db5700b.companies USING btree (created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX i_46cdabd266a8_search ON org_01a202aa9c4d7009bac172de5db5700b.companies USING gin (search_text public.gin_trgm_ops) WITH (fastupdate='on', gin_pending_list_limit='256');
CREATE INDEX i_49ff7e632c75 ON org_01a202aa9c4d7009bac172de5db5700b.projects USING btree (stage);
CREATE INDEX i_4bce6223fbeb_created ON org_01a202aa9c4d7009bac172de5db5700b.opportunities USING btree (created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX i_4bce6223fbeb_search ON org_01a202aa9c4d7009bac172de5db5700b.opportunities USING gin (search_text public.gin_trgm_ops) WITH (fastupdate='on', gin_pending_list_limit='256');
CREATE INDEX i_5d5791616545 ON org_01a202aa9c4d7009bac172de5db5700b.projects USING btree (about);
CREATE INDEX i_6c7390192290 ON org_01a202aa9c4d7009bac172de5db5700b.projects USING btree (owner);
CREATE INDEX i_70e9a36e38e3_created ON org_01a202aa9c4d7009bac172de5db5700b.contacts USING btree (created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX i_70e9a36e38e3_search ON org_01a202aa9c4d7009bac172de5db5700b.contacts USING gin (search_text public.gin_trgm_ops) WITH (fastupdate='on', gin_pending_list_limit='256');
CREATE INDEX i_7aeec308c750 ON org_01a202aa9c4d7009bac172de5db5700b.contacts USING gin (tags);
CREATE INDEX i_7b85d09bd1ab ON org_01a202aa9c4d7009bac172de5db5700b.contacts USING btree (owner);
CREATE INDEX i_7f0f0df50a19 ON org_01a202aa9c4d7009bac172de5db5700b.projects USING btree (created_by);
CREATE INDEX i_80a123c7cfc9 ON org_01a202aa9c4d7009bac172de5db5700b.contacts USING gin (emails jsonb_path_ops);
CREATE INDEX i_91d28e8b200d_created ON org_01a202aa9c4d7009bac172de5db5700b.projects USING btree (created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX i_91d28e8b200d_search ON org_01a202aa9c4d7009bac172de5db5700b.projects USING gin (search_text public.gin_trgm_ops) WITH (fastupdate='on', gin_pending_list_limit='256');
CREATE INDEX i_93758aaa57a3 ON org_01a202aa9c4d7009bac172de5db5700b.contacts USING btree (created_by);
CREATE INDEX i_a00b00638f8c ON org_01a202aa9c4d7009bac172de5db5700b.companies USING btree (industry);
CREATE INDEX i_a12384ec9499 ON org_01a202aa9c4d7009bac172de5db5700b.companies USING btree (created_by);
CREATE INDEX i_a764805bd988 ON org_01a202aa9c4d7009bac172de5db5700b.opportunities USING btree (company_id);
CREATE INDEX i_c51418111af8 ON org_01a202aa9c4d7009bac172de5db5700b.projects USING gin (tags);
CREATE INDEX i_c8f787482398_pipeline_step_id ON org_01a202aa9c4d7009bac172de5db5700b.projects USING btree (pipeline_step_id);
CREATE INDEX i_df4c41707f32 ON org_01a202aa9c4d7009bac172de5db5700b.opportunities USING btree (created_by);
CREATE INDEX i_e4fa462def38_pipeline_step_id ON org_01a202aa9c4d7009bac172de5db5700b.opportunities USING btree (pipeline_step_id);
CREATE INDEX i_ed59fe644807 ON org_01a202aa9c4d7009bac172de5db5700b.companies USING gin (phones jsonb_path_ops);
CREATE INDEX i_ef67bb3e46ae ON org_01a202aa9c4d7009bac172de5db5700b.contacts USING btree (company_id);
CREATE INDEX i_f5ca80f79e09 ON org_01a202aa9c4d7009bac172de5db5700b._link_f5ca80f79e09 USING btree (target_id);
CREATE INDEX i_fea0852295d8 ON org_01a202aa9c4d7009bac172de5db5700b.opportunities USING btree (source);
CREATE UNIQUE INDEX u_4a1397ad558b ON org_01a202aa9c4d7009bac172de5db5700b.projects USING btree ("left"(code, 250), md5(code)) WHERE (deleted_at IS NULL);
ALTER TABLE ONLY kith.organizations
    ADD CONSTRAINT organizations_datasource_id_fkey FOREIGN KEY (datasource_id) REFERENCES kith.datasources(id);
ALTER TABLE ONLY kith.tokens
    ADD CONSTRAINT tokens_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES kith.organizations(id);
ALTER TABLE ONLY org_01a202aa9c4d7009bac172de5db5700b._fields
    ADD CONSTRAINT _fields_object_id_fkey FOREIGN KEY (object_id) REFERENCES org_01a202aa9c4d7009bac172de5db5700b._objects(id);
ALTER TABLE ONLY org_01a202aa9c4d7009bac172de5db5700b._integrations
    ADD CONSTRAINT _integrations_workspace_user_id_fkey FOREIGN KEY (workspace_user_id) REFERENCES org_01a202aa9c4d7009bac172de5db5700b._users(id);
ALTER TABLE ONLY org_01a202aa9c4d7009bac172de5db5700b._list_entries
    ADD CONSTRAINT _list_entries_list_id_fkey FOREIGN KEY (list_id) REFERENCES org_01a202aa9c4d7009bac172de5db5700b._lists(id) ON DELETE CASCADE;
ALTER TABLE ONLY org_01a202aa9c4d7009bac172de5db5700b._pipeline_steps
    ADD CONSTRAINT _pipeline_steps_pipeline_id_fkey FOREIGN KEY (pipeline_id) REFERENCES org_01a202aa9c4d7009bac172de5db5700b._pipelines(id);
ALTER TABLE ONLY org_01a202aa9c4d7009bac172de5db5700b._pipelines
    ADD CONSTRAINT _pipelines_object_id_fkey FOREIGN KEY (object_id) REFERENCES org_01a202aa9c4d7009bac172de5db5700b._objects(id);
ALTER TABLE ONLY org_01a202aa9c4d7009bac172de5db5700b._tokens
    ADD CONSTRAINT _tokens_workspace_user_id_fkey FOREIGN KEY (workspace_user_id) REFERENCES org_01a202aa9c4d7009bac172de5db5700b._users(id);
ALTER TABLE ONLY org_01a202aa9c4d7009bac172de5db5700b._users
    ADD CONSTRAINT _users_role_id_fkey FOREIGN KEY (role_id) REFERENCES org_01a202aa9c4d7009bac172de5db5700b._roles(id);

// Made by `npm run client` of the operations of the service.

/** @type {Record<string, Record<string, import('../outgoing.js').Operation>>} */
export const operations = {
  me: {
    get: {"method":"GET","path":"/me","isSafe":true,"seconds":10},
    permissions: {"method":"GET","path":"/me/permissions","isSafe":true,"seconds":10},
  },
  workspace: {
    get: {"method":"GET","path":"/workspace","isSafe":true,"seconds":10},
    update: {"method":"PUT","path":"/workspace","body":true,"seconds":60},
  },
  roles: {
    list: {"method":"GET","path":"/roles","isSafe":true,"seconds":10},
  },
  limits: {
    list: {"method":"GET","path":"/limits","isSafe":true,"seconds":10},
  },
  access: {
    explain: {"method":"GET","path":"/explain","query":true,"isSafe":true,"seconds":10},
  },
  users: {
    list: {"method":"GET","path":"/users","query":true,"isSafe":true,"paging":{"items":"data","cursor":"cursor","next":"nextCursor"},"seconds":10},
  },
  user: {
    update: {"method":"PUT","path":"/users/:id","body":true,"seconds":10},
  },
  invitations: {
    list: {"method":"GET","path":"/invitations","isSafe":true,"seconds":10},
  },
  invitation: {
    create: {"method":"POST","path":"/invitations","body":true,"takesKey":true,"seconds":10},
    withdraw: {"method":"DELETE","path":"/invitations/:id","seconds":10},
  },
  tokens: {
    list: {"method":"GET","path":"/tokens","query":true,"isSafe":true,"paging":{"items":"data","cursor":"cursor","next":"nextCursor"},"seconds":10},
  },
  token: {
    create: {"method":"POST","path":"/tokens","body":true,"takesKey":true,"seconds":10},
    revoke: {"method":"DELETE","path":"/tokens/:id","seconds":10},
  },
  connectedApps: {
    list: {"method":"GET","path":"/connected-apps","query":true,"isSafe":true,"paging":{"items":"data","cursor":"cursor","next":"nextCursor"},"seconds":10},
  },
  connectedApp: {
    disconnect: {"method":"DELETE","path":"/connected-apps/:id","seconds":10},
  },
  integrations: {
    status: {"method":"GET","path":"/integrations/status","isSafe":true,"seconds":10},
  },
  accounts: {
    list: {"method":"GET","path":"/accounts","query":true,"isSafe":true,"seconds":10},
    add: {"method":"POST","path":"/accounts","body":true,"query":true,"takesKey":true,"seconds":300},
    sync: {"method":"POST","path":"/accounts/:id/sync","takesKey":true,"seconds":300},
    remove: {"method":"DELETE","path":"/accounts/:id","query":true,"seconds":300},
  },
  schema: {
    list: {"method":"GET","path":"/schema","query":true,"isSafe":true,"seconds":10},
    get: {"method":"GET","path":"/schema/:object","isSafe":true,"seconds":10},
  },
  openapi: {
    get: {"method":"GET","path":"/openapi.json","isSafe":true,"seconds":10},
  },
  manifest: {
    pull: {"method":"GET","path":"/manifest","isSafe":true,"seconds":10},
    apply: {"method":"POST","path":"/manifest","body":true,"query":true,"takesKey":true,"seconds":60},
  },
  records: {
    list: {"method":"GET","path":"/records/:object","query":true,"isSafe":true,"paging":{"items":"data","cursor":"cursor","next":"nextCursor"},"seconds":10},
    get: {"method":"GET","path":"/records/:object/:id","query":true,"isSafe":true,"seconds":10},
    history: {"method":"GET","path":"/records/:object/:id/history","query":true,"isSafe":true,"paging":{"items":"data","cursor":"cursor","next":"nextCursor"},"seconds":10},
    create: {"method":"POST","path":"/records/:object","body":true,"takesKey":true,"seconds":10},
    upsert: {"method":"PUT","path":"/records/:object","body":true,"query":true,"seconds":10},
    update: {"method":"PUT","path":"/records/:object/:id","body":true,"seconds":10},
    delete: {"method":"DELETE","path":"/records/:object/:id","seconds":10},
    restore: {"method":"POST","path":"/records/:object/:id/restore","takesKey":true,"seconds":10},
    batchCreate: {"method":"POST","path":"/records/:object/batch/create","body":true,"takesKey":true,"seconds":10},
    batchUpsert: {"method":"POST","path":"/records/:object/batch/upsert","body":true,"takesKey":true,"seconds":300},
    import: {"method":"POST","path":"/import/:object","body":true,"takesKey":true,"takesFile":true,"seconds":300},
    export: {"method":"GET","path":"/export/:object","query":true,"isSafe":true,"download":"also","paging":{"items":"records","cursor":"cursor","next":"nextCursor"},"seconds":300},
    aggregate: {"method":"GET","path":"/aggregate/:object","query":true,"isSafe":true,"seconds":60},
    duplicates: {"method":"POST","path":"/duplicates","body":true,"takesKey":true,"seconds":60},
  },
  bulk: {
    update: {"method":"POST","path":"/bulk","body":true,"takesKey":true,"seconds":300},
  },
  jobs: {
    list: {"method":"GET","path":"/jobs","query":true,"isSafe":true,"paging":{"items":"data","cursor":"cursor","next":"nextCursor"},"seconds":10},
    get: {"method":"GET","path":"/jobs/:id","isSafe":true,"seconds":10},
    cancel: {"method":"POST","path":"/jobs/:id/cancel","takesKey":true,"seconds":10},
  },
  notes: {
    list: {"method":"GET","path":"/notes","query":true,"isSafe":true,"paging":{"items":"data","cursor":"cursor","next":"nextCursor"},"seconds":10},
    get: {"method":"GET","path":"/notes/:id","isSafe":true,"seconds":10},
    create: {"method":"POST","path":"/notes","body":true,"takesKey":true,"seconds":10},
    update: {"method":"PUT","path":"/notes/:id","body":true,"seconds":10},
    delete: {"method":"DELETE","path":"/notes/:id","seconds":10},
  },
  tasks: {
    list: {"method":"GET","path":"/tasks","query":true,"isSafe":true,"paging":{"items":"data","cursor":"cursor","next":"nextCursor"},"seconds":10},
    stats: {"method":"GET","path":"/tasks/stats","query":true,"isSafe":true,"seconds":10},
    get: {"method":"GET","path":"/tasks/:id","isSafe":true,"seconds":10},
    create: {"method":"POST","path":"/tasks","body":true,"takesKey":true,"seconds":10},
    update: {"method":"PUT","path":"/tasks/:id","body":true,"seconds":10},
    complete: {"method":"PUT","path":"/tasks/:id/complete","body":true,"seconds":10},
    delete: {"method":"DELETE","path":"/tasks/:id","seconds":10},
  },
  notifications: {
    list: {"method":"GET","path":"/notifications","query":true,"isSafe":true,"paging":{"items":"data","cursor":"cursor","next":"nextCursor"},"seconds":10},
    stream: {"method":"GET","path":"/notifications/stream","isSafe":true,"isStream":true,"seconds":10},
    markAll: {"method":"PUT","path":"/notifications","body":true,"seconds":10},
    mark: {"method":"PUT","path":"/notifications/:id","body":true,"seconds":10},
  },
  pipelines: {
    list: {"method":"GET","path":"/pipelines","isSafe":true,"seconds":10},
    move: {"method":"PUT","path":"/pipelines/:object/:id/move","body":true,"seconds":10},
    history: {"method":"GET","path":"/pipelines/:object/:id/history","query":true,"isSafe":true,"paging":{"items":"data","cursor":"cursor","next":"nextCursor"},"seconds":10},
  },
  activity: {
    record: {"method":"GET","path":"/activity/:object/:id","query":true,"isSafe":true,"seconds":10},
  },
  inbox: {
    threads: {"method":"GET","path":"/inbox/threads","query":true,"isSafe":true,"paging":{"items":"data","cursor":"cursor","next":"nextCursor"},"seconds":10},
    thread: {"method":"GET","path":"/inbox/threads/:id","query":true,"isSafe":true,"seconds":10},
    markRead: {"method":"PUT","path":"/inbox/threads/:id","body":true,"seconds":10},
    mark: {"method":"POST","path":"/inbox/threads/:id/mark","body":true,"takesKey":true,"seconds":10},
    interaction: {"method":"GET","path":"/interactions/:id","isSafe":true,"seconds":10},
  },
  messages: {
    preview: {"method":"POST","path":"/messages/preview","body":true,"isSafe":true,"seconds":10},
    send: {"method":"POST","path":"/messages/send","body":true,"takesKey":true,"seconds":10},
  },
  meetings: {
    list: {"method":"GET","path":"/meetings","query":true,"isSafe":true,"paging":{"items":"events","cursor":"cursor","next":"nextCursor"},"seconds":10},
  },
  lists: {
    list: {"method":"GET","path":"/lists","query":true,"isSafe":true,"paging":{"items":"data","cursor":"cursor","next":"nextCursor"},"seconds":10},
    create: {"method":"POST","path":"/lists","body":true,"takesKey":true,"seconds":10},
    get: {"method":"GET","path":"/lists/:id","isSafe":true,"seconds":10},
    update: {"method":"PUT","path":"/lists/:id","body":true,"seconds":10},
    delete: {"method":"DELETE","path":"/lists/:id","seconds":10},
  },
  listEntries: {
    list: {"method":"GET","path":"/lists/:id/entries","query":true,"isSafe":true,"paging":{"items":"data","cursor":"cursor","next":"nextCursor"},"seconds":10},
    add: {"method":"POST","path":"/lists/:id/entries","body":true,"takesKey":true,"seconds":10},
    remove: {"method":"POST","path":"/lists/:id/entries/remove","body":true,"takesKey":true,"seconds":10},
    update: {"method":"PUT","path":"/lists/:id/entries/:entry_id","body":true,"seconds":10},
  },
  dashboards: {
    list: {"method":"GET","path":"/dashboards","query":true,"isSafe":true,"paging":{"items":"data","cursor":"cursor","next":"nextCursor"},"seconds":10},
    create: {"method":"POST","path":"/dashboards","body":true,"takesKey":true,"seconds":10},
    get: {"method":"GET","path":"/dashboards/:id","isSafe":true,"seconds":10},
    delete: {"method":"DELETE","path":"/dashboards/:id","seconds":10},
    compute: {"method":"GET","path":"/dashboards/:id/data","query":true,"isSafe":true,"seconds":60},
  },
  charts: {
    create: {"method":"POST","path":"/dashboards/:id/charts","body":true,"takesKey":true,"seconds":10},
    delete: {"method":"DELETE","path":"/dashboards/:id/charts/:chart_id","seconds":10},
  },
  views: {
    list: {"method":"GET","path":"/views","query":true,"isSafe":true,"paging":{"items":"data","cursor":"cursor","next":"nextCursor"},"seconds":10},
    create: {"method":"POST","path":"/views","body":true,"takesKey":true,"seconds":10},
    get: {"method":"GET","path":"/views/:id","isSafe":true,"seconds":10},
    update: {"method":"PUT","path":"/views/:id","body":true,"seconds":10},
    delete: {"method":"DELETE","path":"/views/:id","seconds":10},
  },
  trash: {
    list: {"method":"GET","path":"/trash/:object","query":true,"isSafe":true,"paging":{"items":"data","cursor":"cursor","next":"nextCursor"},"seconds":10},
    purge: {"method":"DELETE","path":"/trash/:object/:id","seconds":10},
  },
  changeSets: {
    list: {"method":"GET","path":"/change-sets","query":true,"isSafe":true,"paging":{"items":"data","cursor":"cursor","next":"nextCursor"},"seconds":10},
    get: {"method":"GET","path":"/change-sets/:id","isSafe":true,"seconds":10},
    writes: {"method":"GET","path":"/change-sets/:id/writes","query":true,"isSafe":true,"paging":{"items":"data","cursor":"cursor","next":"nextCursor"},"seconds":10},
    undo: {"method":"POST","path":"/undo","body":true,"takesKey":true,"seconds":300},
  },
  audit: {
    list: {"method":"GET","path":"/audit","query":true,"isSafe":true,"paging":{"items":"data","cursor":"cursor","next":"nextCursor"},"seconds":10},
  },
  events: {
    list: {"method":"GET","path":"/events","query":true,"isSafe":true,"paging":{"items":"events","cursor":"after","next":"position","more":"has_more"},"seconds":10},
    stream: {"method":"GET","path":"/events/stream","query":true,"isSafe":true,"isStream":true,"seconds":10},
  },
  imports: {
    analyze: {"method":"POST","path":"/import-jobs","body":true,"takesKey":true,"takesFile":true,"seconds":300},
    list: {"method":"GET","path":"/import-jobs","query":true,"isSafe":true,"paging":{"items":"data","cursor":"cursor","next":"nextCursor"},"seconds":10},
    get: {"method":"GET","path":"/import-jobs/:id","isSafe":true,"seconds":10},
    preview: {"method":"POST","path":"/import-jobs/:id/preview","body":true,"takesKey":true,"seconds":300},
    execute: {"method":"POST","path":"/import-jobs/:id/execute","body":true,"takesKey":true,"seconds":300},
    cancel: {"method":"POST","path":"/import-jobs/:id/cancel","takesKey":true,"seconds":10},
    failedRows: {"method":"GET","path":"/import-jobs/:id/failed-rows","isSafe":true,"download":"always","seconds":300},
  },
  everything: {
    search: {"method":"GET","path":"/search","query":true,"isSafe":true,"seconds":60},
  },
  webhooks: {
    list: {"method":"GET","path":"/webhooks","isSafe":true,"seconds":10},
    create: {"method":"POST","path":"/webhooks","body":true,"takesKey":true,"seconds":10},
    get: {"method":"GET","path":"/webhooks/:id","isSafe":true,"seconds":10},
    update: {"method":"PUT","path":"/webhooks/:id","body":true,"seconds":10},
    delete: {"method":"DELETE","path":"/webhooks/:id","seconds":10},
    rotateSecret: {"method":"POST","path":"/webhooks/:id/rotate-secret","takesKey":true,"seconds":10},
    test: {"method":"POST","path":"/webhooks/:id/test","takesKey":true,"seconds":60},
    deliveries: {"method":"GET","path":"/webhooks/:id/deliveries","query":true,"isSafe":true,"paging":{"items":"data","cursor":"cursor","next":"nextCursor"},"seconds":10},
    replay: {"method":"POST","path":"/webhooks/:id/replay","body":true,"takesKey":true,"seconds":10},
  },
};

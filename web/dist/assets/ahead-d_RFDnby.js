// Runs before everything else on the page and sends the requests that the page will make while its modules are
// loading. The build replaces `built` with the files of each page and the remaining files.
/* global built */
(() => {
  const { pages, others } = {"pages":[["/r/[^/]+/trash(/.*)?",["/assets/trash-page-C0iDSsc4.js","/assets/trash-page-BCfhwtIE.css","/assets/no-object-CfkWGI3c.js","/assets/no-access-DiZ2VjMh.js"]],["/r/[^/]+/[^/]+(/.*)?",["/assets/record-page-CUGhzevn.js","/assets/record-page-DMkx8AoS.css","/assets/shown-meanwhile-Bf6cMGrx.js","/assets/shown-meanwhile-Ce7jmdXO.css","/assets/icons-BMc2qjVW.js","/assets/value-editor-b309H3hO.js","/assets/value-editor--hc1I7dR.css","/assets/value-CzhAOnIx.js","/assets/value-Dge1Pjxo.css","/assets/direction-COdUsXGH.js","/assets/contact-of-DIeCKaaC.js","/assets/in-sentence-G8KTgafj.js"]],["/r/[^/]+(/.*)?",["/assets/list-page-dCLNpXt_.js","/assets/list-page-D_xqyly3.css","/assets/no-object-CfkWGI3c.js","/assets/no-access-DiZ2VjMh.js","/assets/shown-meanwhile-Bf6cMGrx.js","/assets/shown-meanwhile-Ce7jmdXO.css","/assets/icons-BMc2qjVW.js","/assets/value-editor-b309H3hO.js","/assets/value-editor--hc1I7dR.css","/assets/value-CzhAOnIx.js","/assets/value-Dge1Pjxo.css","/assets/words-C1o9Hp8p.js","/assets/direction-COdUsXGH.js","/assets/row-height-UQzeHq57.js"]],["/dashboards/[^/]+(/.*)?",["/assets/dashboard-page-DHMiZaqn.js","/assets/icons-BMc2qjVW.js","/assets/use-dashboards-DTUZI9bw.js","/assets/use-dashboards-D5tofRZ1.css","/assets/value-text-LvLquGgl.js"]],["/lists/[^/]+(/.*)?",["/assets/list-entries-page-DdlIWuB2.js","/assets/icons-BMc2qjVW.js","/assets/lists.module-BCaK62dX.js","/assets/lists-g7ecWEvu.css","/assets/value-editor-b309H3hO.js","/assets/value-editor--hc1I7dR.css","/assets/value-CzhAOnIx.js","/assets/value-Dge1Pjxo.css"]],["/import/[^/]+(/.*)?",["/assets/import-page-By5fZ6YP.js","/assets/icons-BMc2qjVW.js","/assets/read-file-fIVEyb7n.js","/assets/read-file-DnNH4G_g.css","/assets/value-text-LvLquGgl.js","/assets/save-file-Ditcmzjl.js"]],["/home(/.*)?",["/assets/home-page-Bl-893IY.js","/assets/home-page--3CczgM1.css","/assets/meeting-data-C58euj84.js","/assets/notification-row-D4F0IcP0.js","/assets/notification-row-CFO-YrFB.css","/assets/icons-BMc2qjVW.js","/assets/use-open-record-BRI040wl.js","/assets/in-sentence-G8KTgafj.js","/assets/task-row-4NCqDVDn.js","/assets/use-task-writes-C29bd631.js","/assets/use-task-writes-Cw5V8Lea.css"]],["/inbox(/.*)?",["/assets/inbox-page-WZRZKs3h.js","/assets/reply-form-CQttto0r.js","/assets/reply-form-CovtpZk1.css","/assets/icons-BMc2qjVW.js","/assets/contact-of-DIeCKaaC.js","/assets/use-more-at-end-D1FBViYr.js","/assets/task-composer-CzCnYzrC.js","/assets/use-task-writes-C29bd631.js","/assets/use-task-writes-Cw5V8Lea.css"]],["/tasks(/.*)?",["/assets/tasks-page-DWB7sUJQ.js","/assets/tasks-page-BcKza3pT.css","/assets/icons-BMc2qjVW.js","/assets/no-access-DiZ2VjMh.js","/assets/task-composer-CzCnYzrC.js","/assets/use-task-writes-C29bd631.js","/assets/use-task-writes-Cw5V8Lea.css","/assets/use-more-at-end-D1FBViYr.js","/assets/task-row-4NCqDVDn.js"]],["/calendar(/.*)?",["/assets/calendar-page-BlhcFtaS.js","/assets/calendar-page-C7T9AoKT.css","/assets/meeting-data-C58euj84.js","/assets/icons-BMc2qjVW.js","/assets/task-composer-CzCnYzrC.js","/assets/use-task-writes-C29bd631.js","/assets/use-task-writes-Cw5V8Lea.css","/assets/direction-COdUsXGH.js"]],["/notifications(/.*)?",["/assets/notifications-page-BO-h2Yy7.js","/assets/use-more-at-end-D1FBViYr.js","/assets/notification-row-D4F0IcP0.js","/assets/notification-row-CFO-YrFB.css","/assets/icons-BMc2qjVW.js","/assets/use-open-record-BRI040wl.js","/assets/in-sentence-G8KTgafj.js"]],["/dashboards(/.*)?",["/assets/dashboards-page-CQasjdmV.js","/assets/new-by-name-BmI8iEA7.js","/assets/use-dashboards-DTUZI9bw.js","/assets/use-dashboards-D5tofRZ1.css"]],["/lists(/.*)?",["/assets/lists-page-D_7AwTbg.js","/assets/new-by-name-BmI8iEA7.js","/assets/lists.module-BCaK62dX.js","/assets/lists-g7ecWEvu.css"]],["/duplicates(/.*)?",["/assets/duplicates-page-DRw1SJhU.js","/assets/duplicates-page-TqTIGCzA.css","/assets/icons-BMc2qjVW.js","/assets/value-CzhAOnIx.js","/assets/value-Dge1Pjxo.css"]],["/agents(/.*)?",["/assets/agents-page-GF8nd5du.js","/assets/agents-page-DIzkDFsZ.css","/assets/icons-BMc2qjVW.js","/assets/value-text-LvLquGgl.js"]],["/import(/.*)?",["/assets/imports-page-DnvBLWiw.js","/assets/read-file-fIVEyb7n.js","/assets/read-file-DnNH4G_g.css"]],["/settings(/.*)?",["/assets/settings-page-K8f4GNnP.js","/assets/icons-BMc2qjVW.js","/assets/pages-DHm-oQET.js","/assets/settings.module-D3v855w2.js","/assets/settings-UzL6V7i_.css"]]],"others":["/assets/code-block-BEjfWsOY.js","/assets/code-block-FkKBZDUO.css","/assets/contact-of-DIeCKaaC.js","/assets/direction-COdUsXGH.js","/assets/field-form-DY9iwCnb.js","/assets/field-form-WDBlqgMW.css","/assets/icons-BMc2qjVW.js","/assets/in-sentence-G8KTgafj.js","/assets/key-list-D2pjlmrr.js","/assets/key-list-mpYJxI-Z.css","/assets/last-use-sMABf6De.js","/assets/lists-g7ecWEvu.css","/assets/lists.module-BCaK62dX.js","/assets/meeting-data-C58euj84.js","/assets/menu-BeElnPb7.css","/assets/menu-BzuDxu9c.js","/assets/new-by-name-BmI8iEA7.js","/assets/no-access-DiZ2VjMh.js","/assets/no-object-CfkWGI3c.js","/assets/notification-row-CFO-YrFB.css","/assets/notification-row-D4F0IcP0.js","/assets/pages-DHm-oQET.js","/assets/people-data-CPOPI-GP.js","/assets/read-file-DnNH4G_g.css","/assets/read-file-fIVEyb7n.js","/assets/read-only-D_xBLTBo.js","/assets/reply-form-CQttto0r.js","/assets/reply-form-CovtpZk1.css","/assets/row-height-UQzeHq57.js","/assets/save-file-Ditcmzjl.js","/assets/setting-DnEIkVnG.js","/assets/setting-list-CAGw3HoG.js","/assets/setting-table-CsrzsYjI.js","/assets/setting-texts-DMfZZzJi.js","/assets/settings-UzL6V7i_.css","/assets/settings.module-D3v855w2.js","/assets/shown-meanwhile-Bf6cMGrx.js","/assets/shown-meanwhile-Ce7jmdXO.css","/assets/task-composer-CzCnYzrC.js","/assets/task-row-4NCqDVDn.js","/assets/use-dashboards-D5tofRZ1.css","/assets/use-dashboards-DTUZI9bw.js","/assets/use-more-at-end-D1FBViYr.js","/assets/use-open-record-BRI040wl.js","/assets/use-task-writes-C29bd631.js","/assets/use-task-writes-Cw5V8Lea.css","/assets/value-CzhAOnIx.js","/assets/value-Dge1Pjxo.css","/assets/value-editor--hc1I7dR.css","/assets/value-editor-b309H3hO.js","/assets/value-text-LvLquGgl.js","/assets/words-C1o9Hp8p.js","/assets/agents-page-GF8nd5du.js","/assets/agents-page-DIzkDFsZ.css","/assets/assistant-CCkgAJDs.js","/assets/going-C_UdB99d.js","/assets/going-bkqJwWo1.css","/assets/key-sheet-Co9E-VKR.js","/assets/palette-BJk4CLAy.js","/assets/palette-z3M5P7nW.css","/assets/person-choices-HKEBQBiP.js","/assets/board-BjHftkHs.js","/assets/board-BtkhCY1K.css","/assets/calendar-page-BlhcFtaS.js","/assets/calendar-page-C7T9AoKT.css","/assets/dashboard-page-DHMiZaqn.js","/assets/dashboards-page-CQasjdmV.js","/assets/delete-dashboard-DUvRQc9s.js","/assets/new-chart-CPd-imgx.js","/assets/duplicates-page-DRw1SJhU.js","/assets/duplicates-page-TqTIGCzA.css","/assets/home-page-Bl-893IY.js","/assets/home-page--3CczgM1.css","/assets/german-DcPUraVS.js","/assets/import-page-By5fZ6YP.js","/assets/imports-page-DnvBLWiw.js","/assets/inbox-page-WZRZKs3h.js","/assets/new-mail-C77XeJ1p.js","/assets/thread-marks-CrRFwlS4.js","/assets/list-entries-page-DdlIWuB2.js","/assets/lists-page-D_7AwTbg.js","/assets/notifications-page-BO-h2Yy7.js","/assets/add-related-DFH268Jk.js","/assets/add-to-list-BUzTD-VX.js","/assets/history-dialog-B9FlW0wv.js","/assets/history-dialog-B-ueuZdd.css","/assets/record-menu-CCWJNCmr.js","/assets/record-page-CUGhzevn.js","/assets/record-page-DMkx8AoS.css","/assets/list-menu-DXYdh1Rn.js","/assets/list-page-dCLNpXt_.js","/assets/list-page-D_xqyly3.css","/assets/new-record-BnZwyIjH.js","/assets/trash-page-C0iDSsc4.js","/assets/trash-page-BCfhwtIE.css","/assets/rename-view-B33rpj_w.js","/assets/accounts-page-DSpv5LFZ.js","/assets/accounts-page-CEQdo-lO.css","/assets/apps-page-Cy4UI-oJ.js","/assets/audit-page-DxFeYloI.js","/assets/audit-page-Tg7SW5V4.css","/assets/keyboard-page-Ch0-2Vvb.js","/assets/organization-page-B4_WKTvw.js","/assets/people-page-DlG4TCcs.js","/assets/roles-page-McOR4zUQ.js","/assets/settings-page-K8f4GNnP.js","/assets/tokens-page-S-ZkV7k0.js","/assets/tokens-page-7CRX_wOw.css","/assets/you-page-U8EJ2rR6.js","/assets/due-popover-DhYig6O_.js","/assets/person-picker-Cm-rF_MK.js","/assets/record-picker-JQMqKj5W.js","/assets/tasks-page-DWB7sUJQ.js","/assets/tasks-page-BcKza3pT.css","/assets/pop-over-DSD7zn2G.js"]};
  const { pathname, search } = location;
  const link = (rel, href, as) => {
    const element = document.createElement('link');
    Object.assign(element, { rel, href, ...(as && { as }), ...(rel === 'modulepreload' && { crossOrigin: '' }) });
    return document.head.appendChild(element);
  };
  const user = document.querySelector('meta[name=made-for]')?.content;
  const asked = new Map();
  const remembered = () => {
    try {
      const { user: last, byAddress } = JSON.parse(localStorage.getItem('kith-ahead') ?? '{}');
      const paths = new Map(last === user ? byAddress : []);
      return (search === '' && paths.get(pathname)) || (paths.get('') ?? []);
    } catch {
      return [];
    }
  };
  for (const path of remembered()) {
    const headers = { 'time-zone': Intl.DateTimeFormat().resolvedOptions().timeZone, 'made-for': user };
    const answer = fetch(path, { headers, redirect: 'error' });
    // Unhandled unless the page takes this answer.
    answer.catch(() => undefined);
    asked.set(path, answer);
  }
  for (const [pattern, files] of pages) {
    if (!new RegExp(`^${pattern}$`).test(pathname)) continue;
    for (const file of files) {
      if (file.endsWith('.css')) link('preload', file, 'style');
      else link('modulepreload', file);
    }
    break;
  }

  globalThis.kithAhead = {
    asked,
    /**
     * Lets the browser cache the files of all other pages, a few at a time, so that they work while the service is away; a second
     * call continues.
     */
    keepOthers() {
      const next = () => {
        const file = others.shift();
        if (!file) return;
        const kept = link('prefetch', file);
        kept.addEventListener('load', next);
        kept.addEventListener('error', () => {
          kept.remove();
          others.push(file);
        });
      };
      for (let lanes = 0; lanes < 2; lanes++) next();
    },
  };
})();

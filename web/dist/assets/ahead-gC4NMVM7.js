// Runs before everything else on the page and sends the requests that the page will make while its modules are
// loading. The build replaces `built` with the files of each page and the remaining files.
/* global built */
(() => {
  const { pages, others } = {"pages":[["/r/[^/]+/trash(/.*)?",["/assets/trash-page-oC7QNaJq.js","/assets/trash-page-BCfhwtIE.css","/assets/no-object-CH8FW9Rt.js","/assets/no-access-Ba-LBf4W.js"]],["/r/[^/]+/[^/]+(/.*)?",["/assets/record-page-DLMQwwhx.js","/assets/record-page-DMkx8AoS.css","/assets/shown-meanwhile-D6T00CpJ.js","/assets/shown-meanwhile-Ce7jmdXO.css","/assets/icons-BMc2qjVW.js","/assets/value-editor-CLkiuJfl.js","/assets/value-editor--hc1I7dR.css","/assets/value-C7AFsUnA.js","/assets/value-Dge1Pjxo.css","/assets/direction-COdUsXGH.js","/assets/contact-of-DI0WfHc5.js","/assets/in-sentence-G8KTgafj.js"]],["/r/[^/]+(/.*)?",["/assets/list-page-DF7PdWFL.js","/assets/list-page-D_xqyly3.css","/assets/no-object-CH8FW9Rt.js","/assets/no-access-Ba-LBf4W.js","/assets/shown-meanwhile-D6T00CpJ.js","/assets/shown-meanwhile-Ce7jmdXO.css","/assets/icons-BMc2qjVW.js","/assets/value-editor-CLkiuJfl.js","/assets/value-editor--hc1I7dR.css","/assets/value-C7AFsUnA.js","/assets/value-Dge1Pjxo.css","/assets/words-B7BHDpDL.js","/assets/direction-COdUsXGH.js","/assets/row-height-UQzeHq57.js"]],["/dashboards/[^/]+(/.*)?",["/assets/dashboard-page-B0wNY13d.js","/assets/icons-BMc2qjVW.js","/assets/use-dashboards-DTUZI9bw.js","/assets/use-dashboards-D5tofRZ1.css","/assets/value-text-LvLquGgl.js"]],["/lists/[^/]+(/.*)?",["/assets/list-entries-page-B0rnnyBL.js","/assets/icons-BMc2qjVW.js","/assets/lists.module-BCaK62dX.js","/assets/lists-g7ecWEvu.css","/assets/value-editor-CLkiuJfl.js","/assets/value-editor--hc1I7dR.css","/assets/value-C7AFsUnA.js","/assets/value-Dge1Pjxo.css"]],["/import/[^/]+(/.*)?",["/assets/import-page-_gjpgT1H.js","/assets/icons-BMc2qjVW.js","/assets/read-file-fIVEyb7n.js","/assets/read-file-DnNH4G_g.css","/assets/value-text-LvLquGgl.js","/assets/save-file-Ditcmzjl.js"]],["/home(/.*)?",["/assets/home-page-BvsfZIyl.js","/assets/home-page--3CczgM1.css","/assets/meeting-data-C58euj84.js","/assets/notification-row-BhbBpm_B.js","/assets/notification-row-CFO-YrFB.css","/assets/icons-BMc2qjVW.js","/assets/use-open-record-BucY_yyE.js","/assets/in-sentence-G8KTgafj.js","/assets/task-row-CjdEr_CT.js","/assets/use-task-writes-LNi2zCX1.js","/assets/use-task-writes-Cw5V8Lea.css"]],["/inbox(/.*)?",["/assets/inbox-page-B8GFmXqY.js","/assets/reply-form-GdxjLSkM.js","/assets/reply-form-CovtpZk1.css","/assets/icons-BMc2qjVW.js","/assets/contact-of-DI0WfHc5.js","/assets/use-more-at-end-D1FBViYr.js","/assets/task-composer-CuGaPk9o.js","/assets/use-task-writes-LNi2zCX1.js","/assets/use-task-writes-Cw5V8Lea.css"]],["/tasks(/.*)?",["/assets/tasks-page-CHLdqXSF.js","/assets/tasks-page-BcKza3pT.css","/assets/icons-BMc2qjVW.js","/assets/no-access-Ba-LBf4W.js","/assets/task-composer-CuGaPk9o.js","/assets/use-task-writes-LNi2zCX1.js","/assets/use-task-writes-Cw5V8Lea.css","/assets/use-more-at-end-D1FBViYr.js","/assets/task-row-CjdEr_CT.js"]],["/calendar(/.*)?",["/assets/calendar-page-B8Usdjjn.js","/assets/calendar-page-C7T9AoKT.css","/assets/meeting-data-C58euj84.js","/assets/icons-BMc2qjVW.js","/assets/task-composer-CuGaPk9o.js","/assets/use-task-writes-LNi2zCX1.js","/assets/use-task-writes-Cw5V8Lea.css","/assets/direction-COdUsXGH.js"]],["/notifications(/.*)?",["/assets/notifications-page-BECJqZxF.js","/assets/use-more-at-end-D1FBViYr.js","/assets/notification-row-BhbBpm_B.js","/assets/notification-row-CFO-YrFB.css","/assets/icons-BMc2qjVW.js","/assets/use-open-record-BucY_yyE.js","/assets/in-sentence-G8KTgafj.js"]],["/dashboards(/.*)?",["/assets/dashboards-page-C6vhG0Mh.js","/assets/new-by-name-BtzRkk0n.js","/assets/use-dashboards-DTUZI9bw.js","/assets/use-dashboards-D5tofRZ1.css"]],["/lists(/.*)?",["/assets/lists-page-CUxuqj9S.js","/assets/new-by-name-BtzRkk0n.js","/assets/lists.module-BCaK62dX.js","/assets/lists-g7ecWEvu.css"]],["/duplicates(/.*)?",["/assets/duplicates-page-B03MH3go.js","/assets/duplicates-page-TqTIGCzA.css","/assets/icons-BMc2qjVW.js","/assets/value-C7AFsUnA.js","/assets/value-Dge1Pjxo.css"]],["/agents(/.*)?",["/assets/agents-page-BmK_yW-F.js","/assets/agents-page-DIzkDFsZ.css","/assets/icons-BMc2qjVW.js","/assets/value-text-LvLquGgl.js"]],["/import(/.*)?",["/assets/imports-page-CxFjIbG7.js","/assets/read-file-fIVEyb7n.js","/assets/read-file-DnNH4G_g.css"]],["/settings(/.*)?",["/assets/settings-page-BTBtPCP0.js","/assets/icons-BMc2qjVW.js","/assets/pages-DHm-oQET.js","/assets/settings.module-D3v855w2.js","/assets/settings-UzL6V7i_.css"]]],"others":["/assets/code-block-D1kvceOu.js","/assets/code-block-FkKBZDUO.css","/assets/contact-of-DI0WfHc5.js","/assets/direction-COdUsXGH.js","/assets/field-form-C7-Ac8xE.js","/assets/field-form-WDBlqgMW.css","/assets/icons-BMc2qjVW.js","/assets/in-sentence-G8KTgafj.js","/assets/key-list-CeUz5y3a.js","/assets/key-list-mpYJxI-Z.css","/assets/last-use-B14t_sj9.js","/assets/lists-g7ecWEvu.css","/assets/lists.module-BCaK62dX.js","/assets/meeting-data-C58euj84.js","/assets/menu-BeElnPb7.css","/assets/menu-BzuDxu9c.js","/assets/new-by-name-BtzRkk0n.js","/assets/no-access-Ba-LBf4W.js","/assets/no-object-CH8FW9Rt.js","/assets/notification-row-BhbBpm_B.js","/assets/notification-row-CFO-YrFB.css","/assets/pages-DHm-oQET.js","/assets/people-data-CPOPI-GP.js","/assets/read-file-DnNH4G_g.css","/assets/read-file-fIVEyb7n.js","/assets/read-only-D_xBLTBo.js","/assets/reply-form-CovtpZk1.css","/assets/reply-form-GdxjLSkM.js","/assets/row-height-UQzeHq57.js","/assets/save-file-Ditcmzjl.js","/assets/setting-DnEIkVnG.js","/assets/setting-list-CBRBddii.js","/assets/setting-table-CsrzsYjI.js","/assets/setting-texts-DMfZZzJi.js","/assets/settings-UzL6V7i_.css","/assets/settings.module-D3v855w2.js","/assets/shown-meanwhile-Ce7jmdXO.css","/assets/shown-meanwhile-D6T00CpJ.js","/assets/task-composer-CuGaPk9o.js","/assets/task-row-CjdEr_CT.js","/assets/use-dashboards-D5tofRZ1.css","/assets/use-dashboards-DTUZI9bw.js","/assets/use-more-at-end-D1FBViYr.js","/assets/use-open-record-BucY_yyE.js","/assets/use-task-writes-Cw5V8Lea.css","/assets/use-task-writes-LNi2zCX1.js","/assets/value-C7AFsUnA.js","/assets/value-Dge1Pjxo.css","/assets/value-editor--hc1I7dR.css","/assets/value-editor-CLkiuJfl.js","/assets/value-text-LvLquGgl.js","/assets/words-B7BHDpDL.js","/assets/agents-page-BmK_yW-F.js","/assets/agents-page-DIzkDFsZ.css","/assets/assistant-DxC1afT5.js","/assets/going-D8IIA91C.js","/assets/going-bkqJwWo1.css","/assets/key-sheet-BloFzpN_.js","/assets/palette-C72E1sl9.js","/assets/palette-z3M5P7nW.css","/assets/person-choices-CNogsUEQ.js","/assets/board-SvazyFuj.js","/assets/board-BtkhCY1K.css","/assets/calendar-page-B8Usdjjn.js","/assets/calendar-page-C7T9AoKT.css","/assets/dashboard-page-B0wNY13d.js","/assets/dashboards-page-C6vhG0Mh.js","/assets/delete-dashboard-DUvRQc9s.js","/assets/new-chart-C_5h1-nS.js","/assets/duplicates-page-B03MH3go.js","/assets/duplicates-page-TqTIGCzA.css","/assets/home-page-BvsfZIyl.js","/assets/home-page--3CczgM1.css","/assets/german-DcPUraVS.js","/assets/import-page-_gjpgT1H.js","/assets/imports-page-CxFjIbG7.js","/assets/inbox-page-B8GFmXqY.js","/assets/new-mail-DaToOKNT.js","/assets/thread-marks-D8y_aLCL.js","/assets/list-entries-page-B0rnnyBL.js","/assets/lists-page-CUxuqj9S.js","/assets/notifications-page-BECJqZxF.js","/assets/add-related-Ds_N7bi0.js","/assets/add-to-list-B9_vB-G7.js","/assets/history-dialog-yCH5xihX.js","/assets/history-dialog-B-ueuZdd.css","/assets/record-menu-Cl4KY_Wf.js","/assets/record-page-DLMQwwhx.js","/assets/record-page-DMkx8AoS.css","/assets/list-menu-DVOMSJIS.js","/assets/list-page-DF7PdWFL.js","/assets/list-page-D_xqyly3.css","/assets/new-record-D2lF4ErE.js","/assets/trash-page-oC7QNaJq.js","/assets/trash-page-BCfhwtIE.css","/assets/rename-view-CB43VlR5.js","/assets/accounts-page-ePvqUg8Z.js","/assets/accounts-page-CEQdo-lO.css","/assets/apps-page-CQ9nhaf1.js","/assets/audit-page-vLYAAb4o.js","/assets/audit-page-Tg7SW5V4.css","/assets/keyboard-page-C68P2wgB.js","/assets/organization-page-BUmZgho1.js","/assets/people-page-BEZnGH32.js","/assets/roles-page-IoCCKKp0.js","/assets/settings-page-BTBtPCP0.js","/assets/tokens-page-C1gtILJ9.js","/assets/tokens-page-7CRX_wOw.css","/assets/you-page-Bl6LtJDH.js","/assets/due-popover-BZAlfHSH.js","/assets/person-picker-BiYvEdYj.js","/assets/record-picker-CQu8-yON.js","/assets/tasks-page-CHLdqXSF.js","/assets/tasks-page-BcKza3pT.css","/assets/pop-over-DSD7zn2G.js"]};
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

// Runs before everything else on the page and sends the requests that the page will make while its modules are
// loading. The build replaces `built` with the files of each page and the remaining files.
/* global built */
(() => {
  const { pages, others } = {"pages":[["/r/[^/]+/trash(/.*)?",["/assets/trash-page-BcIRqJoF.js","/assets/trash-page-BCfhwtIE.css","/assets/no-object-MJ_GQP9P.js","/assets/no-access-B5aINttk.js"]],["/r/[^/]+/[^/]+(/.*)?",["/assets/record-page-DJK8G3Ft.js","/assets/record-page-DMkx8AoS.css","/assets/shown-meanwhile-DVxYo4jT.js","/assets/shown-meanwhile-Ce7jmdXO.css","/assets/icons-Bs0ARBNS.js","/assets/value-editor-DRvBCVMS.js","/assets/value-editor--hc1I7dR.css","/assets/value-BNjmDXaN.js","/assets/value-Dge1Pjxo.css","/assets/direction-COdUsXGH.js","/assets/contact-of-B6eYSBvY.js","/assets/in-sentence-G8KTgafj.js"]],["/r/[^/]+(/.*)?",["/assets/list-page-DBHugcls.js","/assets/list-page-D_xqyly3.css","/assets/no-object-MJ_GQP9P.js","/assets/no-access-B5aINttk.js","/assets/shown-meanwhile-DVxYo4jT.js","/assets/shown-meanwhile-Ce7jmdXO.css","/assets/icons-Bs0ARBNS.js","/assets/value-editor-DRvBCVMS.js","/assets/value-editor--hc1I7dR.css","/assets/value-BNjmDXaN.js","/assets/value-Dge1Pjxo.css","/assets/words-D1S3aUL9.js","/assets/direction-COdUsXGH.js","/assets/row-height-C0UvQ4If.js"]],["/dashboards/[^/]+(/.*)?",["/assets/dashboard-page-Cv3Aqy07.js","/assets/icons-Bs0ARBNS.js","/assets/use-dashboards-C_CYjX--.js","/assets/use-dashboards-D5tofRZ1.css","/assets/value-text-CWR5kjd3.js"]],["/lists/[^/]+(/.*)?",["/assets/list-entries-page-DZT0-aiO.js","/assets/icons-Bs0ARBNS.js","/assets/lists.module-BCaK62dX.js","/assets/lists-g7ecWEvu.css","/assets/value-editor-DRvBCVMS.js","/assets/value-editor--hc1I7dR.css","/assets/value-BNjmDXaN.js","/assets/value-Dge1Pjxo.css"]],["/import/[^/]+(/.*)?",["/assets/import-page-BOzTaTiD.js","/assets/icons-Bs0ARBNS.js","/assets/read-file-dPWwF8IG.js","/assets/read-file-DnNH4G_g.css","/assets/value-text-CWR5kjd3.js","/assets/save-file-Ditcmzjl.js"]],["/home(/.*)?",["/assets/home-page-Wxd6ETb5.js","/assets/home-page--3CczgM1.css","/assets/meeting-data-DtdP19xI.js","/assets/notification-row-COzz_kky.js","/assets/notification-row-CFO-YrFB.css","/assets/icons-Bs0ARBNS.js","/assets/use-open-record-DOrY-uvB.js","/assets/in-sentence-G8KTgafj.js","/assets/task-row-8IWOTDdX.js","/assets/use-task-writes-BdiBbnzO.js","/assets/use-task-writes-Cw5V8Lea.css"]],["/inbox(/.*)?",["/assets/inbox-page-ClxCzd27.js","/assets/reply-form-R4Eg7ZR6.js","/assets/reply-form-CovtpZk1.css","/assets/icons-Bs0ARBNS.js","/assets/contact-of-B6eYSBvY.js","/assets/use-more-at-end-D1FBViYr.js","/assets/task-composer-BLmLLWge.js","/assets/use-task-writes-BdiBbnzO.js","/assets/use-task-writes-Cw5V8Lea.css"]],["/tasks(/.*)?",["/assets/tasks-page-Ci1p1V3A.js","/assets/tasks-page-BcKza3pT.css","/assets/icons-Bs0ARBNS.js","/assets/no-access-B5aINttk.js","/assets/task-composer-BLmLLWge.js","/assets/use-task-writes-BdiBbnzO.js","/assets/use-task-writes-Cw5V8Lea.css","/assets/use-more-at-end-D1FBViYr.js","/assets/task-row-8IWOTDdX.js"]],["/calendar(/.*)?",["/assets/calendar-page-CZdkyO2q.js","/assets/calendar-page-C7T9AoKT.css","/assets/meeting-data-DtdP19xI.js","/assets/icons-Bs0ARBNS.js","/assets/task-composer-BLmLLWge.js","/assets/use-task-writes-BdiBbnzO.js","/assets/use-task-writes-Cw5V8Lea.css","/assets/direction-COdUsXGH.js"]],["/notifications(/.*)?",["/assets/notifications-page-BojxI6vY.js","/assets/use-more-at-end-D1FBViYr.js","/assets/notification-row-COzz_kky.js","/assets/notification-row-CFO-YrFB.css","/assets/icons-Bs0ARBNS.js","/assets/use-open-record-DOrY-uvB.js","/assets/in-sentence-G8KTgafj.js"]],["/dashboards(/.*)?",["/assets/dashboards-page-DzDixpNI.js","/assets/new-by-name-Bvh1rnGP.js","/assets/use-dashboards-C_CYjX--.js","/assets/use-dashboards-D5tofRZ1.css"]],["/lists(/.*)?",["/assets/lists-page-C854bE7U.js","/assets/new-by-name-Bvh1rnGP.js","/assets/lists.module-BCaK62dX.js","/assets/lists-g7ecWEvu.css"]],["/duplicates(/.*)?",["/assets/duplicates-page-CjnPWYOi.js","/assets/duplicates-page-TqTIGCzA.css","/assets/icons-Bs0ARBNS.js","/assets/value-BNjmDXaN.js","/assets/value-Dge1Pjxo.css"]],["/agents(/.*)?",["/assets/agents-page-DxCT2B1h.js","/assets/agents-page-DIzkDFsZ.css","/assets/icons-Bs0ARBNS.js","/assets/value-text-CWR5kjd3.js"]],["/import(/.*)?",["/assets/imports-page-k6kqg5_x.js","/assets/read-file-dPWwF8IG.js","/assets/read-file-DnNH4G_g.css"]],["/settings(/.*)?",["/assets/settings-page-lbS_Q3EY.js","/assets/icons-Bs0ARBNS.js","/assets/pages-DHm-oQET.js","/assets/settings.module-D3v855w2.js","/assets/settings-UzL6V7i_.css"]]],"others":["/assets/code-block-FkKBZDUO.css","/assets/code-block-oE0xIw99.js","/assets/contact-of-B6eYSBvY.js","/assets/direction-COdUsXGH.js","/assets/field-form-BTObA_kW.js","/assets/field-form-WDBlqgMW.css","/assets/icons-Bs0ARBNS.js","/assets/in-sentence-G8KTgafj.js","/assets/key-list-B7wFN9va.js","/assets/key-list-mpYJxI-Z.css","/assets/last-use-DyVv6v2E.js","/assets/lists-g7ecWEvu.css","/assets/lists.module-BCaK62dX.js","/assets/meeting-data-DtdP19xI.js","/assets/menu-BeElnPb7.css","/assets/menu-DRD4sbPF.js","/assets/new-by-name-Bvh1rnGP.js","/assets/no-access-B5aINttk.js","/assets/no-object-MJ_GQP9P.js","/assets/notification-row-CFO-YrFB.css","/assets/notification-row-COzz_kky.js","/assets/pages-DHm-oQET.js","/assets/people-data-BEUB3q4C.js","/assets/read-file-DnNH4G_g.css","/assets/read-file-dPWwF8IG.js","/assets/read-only-Bj4SQ3bz.js","/assets/reply-form-CovtpZk1.css","/assets/reply-form-R4Eg7ZR6.js","/assets/row-height-C0UvQ4If.js","/assets/save-file-Ditcmzjl.js","/assets/setting-BOqyLvgs.js","/assets/setting-list-CKKDFJyB.js","/assets/setting-table-DglV3HWS.js","/assets/setting-texts-C5n8EksZ.js","/assets/settings-UzL6V7i_.css","/assets/settings.module-D3v855w2.js","/assets/shown-meanwhile-Ce7jmdXO.css","/assets/shown-meanwhile-DVxYo4jT.js","/assets/task-composer-BLmLLWge.js","/assets/task-row-8IWOTDdX.js","/assets/use-dashboards-C_CYjX--.js","/assets/use-dashboards-D5tofRZ1.css","/assets/use-more-at-end-D1FBViYr.js","/assets/use-open-record-DOrY-uvB.js","/assets/use-task-writes-BdiBbnzO.js","/assets/use-task-writes-Cw5V8Lea.css","/assets/value-BNjmDXaN.js","/assets/value-Dge1Pjxo.css","/assets/value-editor--hc1I7dR.css","/assets/value-editor-DRvBCVMS.js","/assets/value-text-CWR5kjd3.js","/assets/words-D1S3aUL9.js","/assets/agents-page-DxCT2B1h.js","/assets/agents-page-DIzkDFsZ.css","/assets/assistant-oeCNzAs4.js","/assets/going-CoNbiSNc.js","/assets/going-bkqJwWo1.css","/assets/key-sheet-BGha2o09.js","/assets/palette-7DYJxlcd.js","/assets/palette-z3M5P7nW.css","/assets/person-choices-BwrZJ-F-.js","/assets/board-DxJvwXtf.js","/assets/board-BtkhCY1K.css","/assets/calendar-page-CZdkyO2q.js","/assets/calendar-page-C7T9AoKT.css","/assets/dashboard-page-Cv3Aqy07.js","/assets/dashboards-page-DzDixpNI.js","/assets/delete-dashboard-BDEmOZQH.js","/assets/new-chart-yn72EoDL.js","/assets/duplicates-page-CjnPWYOi.js","/assets/duplicates-page-TqTIGCzA.css","/assets/home-page-Wxd6ETb5.js","/assets/home-page--3CczgM1.css","/assets/german-DYrDIsSN.js","/assets/import-page-BOzTaTiD.js","/assets/imports-page-k6kqg5_x.js","/assets/inbox-page-ClxCzd27.js","/assets/new-mail-XpIYRYxp.js","/assets/thread-marks-CDJDNa0Z.js","/assets/list-entries-page-DZT0-aiO.js","/assets/lists-page-C854bE7U.js","/assets/notifications-page-BojxI6vY.js","/assets/add-related-C9iV3jry.js","/assets/add-to-list-De0SlENJ.js","/assets/history-dialog-DW6YCdaa.js","/assets/history-dialog-B-ueuZdd.css","/assets/record-menu-IdETS7GF.js","/assets/record-page-DJK8G3Ft.js","/assets/record-page-DMkx8AoS.css","/assets/list-menu-DBj4_NSa.js","/assets/list-page-DBHugcls.js","/assets/list-page-D_xqyly3.css","/assets/new-record-DjY94H95.js","/assets/trash-page-BcIRqJoF.js","/assets/trash-page-BCfhwtIE.css","/assets/rename-view-VYdKr-qv.js","/assets/accounts-page-C_FrqqqS.js","/assets/accounts-page-CEQdo-lO.css","/assets/apps-page-CsZ78L81.js","/assets/audit-page-Bqpevb7H.js","/assets/audit-page-Tg7SW5V4.css","/assets/keyboard-page-CeVjYjEh.js","/assets/organization-page-2LCU9d7t.js","/assets/people-page-BM88c1q8.js","/assets/roles-page-BbCoK_lZ.js","/assets/settings-page-lbS_Q3EY.js","/assets/tokens-page-NUdkMrTZ.js","/assets/tokens-page-7CRX_wOw.css","/assets/you-page-CiA2k0OD.js","/assets/due-popover-BX90vFUX.js","/assets/person-picker-Bq5cUQdg.js","/assets/record-picker-DF0_8AOS.js","/assets/tasks-page-Ci1p1V3A.js","/assets/tasks-page-BcKza3pT.css","/assets/pop-over-B92eNWtw.js"]};
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

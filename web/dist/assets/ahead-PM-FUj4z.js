// Runs before everything else on the page and sends the requests that the page will make while its modules are
// loading. The build replaces `built` with the files of each page and the remaining files.
/* global built */
(() => {
  const { pages, others } = {"pages":[["/r/[^/]+/trash(/.*)?",["/assets/trash-page-DxpKm42V.js","/assets/trash-page-BCfhwtIE.css","/assets/no-object-B_NZU4U4.js","/assets/no-access-rr_u6U2Y.js"]],["/r/[^/]+/[^/]+(/.*)?",["/assets/record-page-BzBfbrqb.js","/assets/record-page-DMkx8AoS.css","/assets/shown-meanwhile-Cbdft98i.js","/assets/shown-meanwhile-Ce7jmdXO.css","/assets/icons-Bs0ARBNS.js","/assets/value-editor-BNsLG-_f.js","/assets/value-editor--hc1I7dR.css","/assets/value-CErmjvmR.js","/assets/value-Dge1Pjxo.css","/assets/direction-COdUsXGH.js","/assets/contact-of-EX7OAaHO.js","/assets/in-sentence-G8KTgafj.js"]],["/r/[^/]+(/.*)?",["/assets/list-page-Ihii14Nf.js","/assets/list-page-D_xqyly3.css","/assets/no-object-B_NZU4U4.js","/assets/no-access-rr_u6U2Y.js","/assets/shown-meanwhile-Cbdft98i.js","/assets/shown-meanwhile-Ce7jmdXO.css","/assets/icons-Bs0ARBNS.js","/assets/value-editor-BNsLG-_f.js","/assets/value-editor--hc1I7dR.css","/assets/value-CErmjvmR.js","/assets/value-Dge1Pjxo.css","/assets/words-Cwk_D1s7.js","/assets/direction-COdUsXGH.js","/assets/row-height-C0UvQ4If.js"]],["/dashboards/[^/]+(/.*)?",["/assets/dashboard-page-CqlQwU42.js","/assets/icons-Bs0ARBNS.js","/assets/use-dashboards-C_CYjX--.js","/assets/use-dashboards-D5tofRZ1.css","/assets/value-text-CWR5kjd3.js"]],["/lists/[^/]+(/.*)?",["/assets/list-entries-page-Cc3NZZHh.js","/assets/icons-Bs0ARBNS.js","/assets/lists.module-BCaK62dX.js","/assets/lists-g7ecWEvu.css","/assets/value-editor-BNsLG-_f.js","/assets/value-editor--hc1I7dR.css","/assets/value-CErmjvmR.js","/assets/value-Dge1Pjxo.css"]],["/import/[^/]+(/.*)?",["/assets/import-page-R8fJZkYg.js","/assets/icons-Bs0ARBNS.js","/assets/read-file-dPWwF8IG.js","/assets/read-file-DnNH4G_g.css","/assets/value-text-CWR5kjd3.js","/assets/save-file-Ditcmzjl.js"]],["/home(/.*)?",["/assets/home-page-BwsexL75.js","/assets/home-page--3CczgM1.css","/assets/meeting-data-DtdP19xI.js","/assets/notification-row-B9uzArdY.js","/assets/notification-row-CFO-YrFB.css","/assets/icons-Bs0ARBNS.js","/assets/use-open-record-CYs34XoZ.js","/assets/in-sentence-G8KTgafj.js","/assets/task-row-Bb5UKmk0.js","/assets/use-task-writes-rclwo-yy.js","/assets/use-task-writes-Cw5V8Lea.css"]],["/inbox(/.*)?",["/assets/inbox-page-BCf4VzsK.js","/assets/reply-form-BmdZaokL.js","/assets/reply-form-CovtpZk1.css","/assets/icons-Bs0ARBNS.js","/assets/contact-of-EX7OAaHO.js","/assets/use-more-at-end-D1FBViYr.js","/assets/task-composer-DfAvDBKf.js","/assets/use-task-writes-rclwo-yy.js","/assets/use-task-writes-Cw5V8Lea.css"]],["/tasks(/.*)?",["/assets/tasks-page-DtzG05-t.js","/assets/tasks-page-BcKza3pT.css","/assets/icons-Bs0ARBNS.js","/assets/no-access-rr_u6U2Y.js","/assets/task-composer-DfAvDBKf.js","/assets/use-task-writes-rclwo-yy.js","/assets/use-task-writes-Cw5V8Lea.css","/assets/use-more-at-end-D1FBViYr.js","/assets/task-row-Bb5UKmk0.js"]],["/calendar(/.*)?",["/assets/calendar-page-wyTemMlK.js","/assets/calendar-page-C7T9AoKT.css","/assets/meeting-data-DtdP19xI.js","/assets/icons-Bs0ARBNS.js","/assets/task-composer-DfAvDBKf.js","/assets/use-task-writes-rclwo-yy.js","/assets/use-task-writes-Cw5V8Lea.css","/assets/direction-COdUsXGH.js"]],["/notifications(/.*)?",["/assets/notifications-page-CzDT4V3q.js","/assets/use-more-at-end-D1FBViYr.js","/assets/notification-row-B9uzArdY.js","/assets/notification-row-CFO-YrFB.css","/assets/icons-Bs0ARBNS.js","/assets/use-open-record-CYs34XoZ.js","/assets/in-sentence-G8KTgafj.js"]],["/dashboards(/.*)?",["/assets/dashboards-page-IPogOkDa.js","/assets/new-by-name-CyQ33odT.js","/assets/use-dashboards-C_CYjX--.js","/assets/use-dashboards-D5tofRZ1.css"]],["/lists(/.*)?",["/assets/lists-page-JFrYgN-p.js","/assets/new-by-name-CyQ33odT.js","/assets/lists.module-BCaK62dX.js","/assets/lists-g7ecWEvu.css"]],["/duplicates(/.*)?",["/assets/duplicates-page-DhMAqOmc.js","/assets/duplicates-page-TqTIGCzA.css","/assets/icons-Bs0ARBNS.js","/assets/value-CErmjvmR.js","/assets/value-Dge1Pjxo.css"]],["/agents(/.*)?",["/assets/agents-page-ikykNy1-.js","/assets/agents-page-DIzkDFsZ.css","/assets/icons-Bs0ARBNS.js","/assets/value-text-CWR5kjd3.js"]],["/import(/.*)?",["/assets/imports-page-TJUkzeoU.js","/assets/read-file-dPWwF8IG.js","/assets/read-file-DnNH4G_g.css"]],["/settings(/.*)?",["/assets/settings-page-D2mKGSN1.js","/assets/icons-Bs0ARBNS.js","/assets/pages-DHm-oQET.js","/assets/settings.module-D3v855w2.js","/assets/settings-UzL6V7i_.css"]]],"others":["/assets/code-block-DtK-piAA.js","/assets/code-block-FkKBZDUO.css","/assets/contact-of-EX7OAaHO.js","/assets/direction-COdUsXGH.js","/assets/field-form-WDBlqgMW.css","/assets/field-form-s4mkWnON.js","/assets/icons-Bs0ARBNS.js","/assets/in-sentence-G8KTgafj.js","/assets/key-list-Chg6RPZh.js","/assets/key-list-mpYJxI-Z.css","/assets/last-use-Un1cVTMc.js","/assets/lists-g7ecWEvu.css","/assets/lists.module-BCaK62dX.js","/assets/meeting-data-DtdP19xI.js","/assets/menu-BeElnPb7.css","/assets/menu-DRD4sbPF.js","/assets/new-by-name-CyQ33odT.js","/assets/no-access-rr_u6U2Y.js","/assets/no-object-B_NZU4U4.js","/assets/notification-row-B9uzArdY.js","/assets/notification-row-CFO-YrFB.css","/assets/pages-DHm-oQET.js","/assets/people-data-BEUB3q4C.js","/assets/read-file-DnNH4G_g.css","/assets/read-file-dPWwF8IG.js","/assets/read-only-Bj4SQ3bz.js","/assets/reply-form-BmdZaokL.js","/assets/reply-form-CovtpZk1.css","/assets/row-height-C0UvQ4If.js","/assets/save-file-Ditcmzjl.js","/assets/setting-BOqyLvgs.js","/assets/setting-list-H8jxdius.js","/assets/setting-table-DglV3HWS.js","/assets/setting-texts-C5n8EksZ.js","/assets/settings-UzL6V7i_.css","/assets/settings.module-D3v855w2.js","/assets/shown-meanwhile-Cbdft98i.js","/assets/shown-meanwhile-Ce7jmdXO.css","/assets/task-composer-DfAvDBKf.js","/assets/task-row-Bb5UKmk0.js","/assets/use-dashboards-C_CYjX--.js","/assets/use-dashboards-D5tofRZ1.css","/assets/use-more-at-end-D1FBViYr.js","/assets/use-open-record-CYs34XoZ.js","/assets/use-task-writes-Cw5V8Lea.css","/assets/use-task-writes-rclwo-yy.js","/assets/value-CErmjvmR.js","/assets/value-Dge1Pjxo.css","/assets/value-editor--hc1I7dR.css","/assets/value-editor-BNsLG-_f.js","/assets/value-text-CWR5kjd3.js","/assets/words-Cwk_D1s7.js","/assets/agents-page-ikykNy1-.js","/assets/agents-page-DIzkDFsZ.css","/assets/assistant-B5RxIF2v.js","/assets/going-DQ9lB3i9.js","/assets/going-bkqJwWo1.css","/assets/key-sheet-BRHRUDWY.js","/assets/palette-DOe0CmD7.js","/assets/palette-z3M5P7nW.css","/assets/person-choices-CLJwxQ9t.js","/assets/board-CrxzIfKH.js","/assets/board-BtkhCY1K.css","/assets/calendar-page-wyTemMlK.js","/assets/calendar-page-C7T9AoKT.css","/assets/dashboard-page-CqlQwU42.js","/assets/dashboards-page-IPogOkDa.js","/assets/delete-dashboard-BDEmOZQH.js","/assets/new-chart-C37DUXNN.js","/assets/duplicates-page-DhMAqOmc.js","/assets/duplicates-page-TqTIGCzA.css","/assets/home-page-BwsexL75.js","/assets/home-page--3CczgM1.css","/assets/german-DYrDIsSN.js","/assets/import-page-R8fJZkYg.js","/assets/imports-page-TJUkzeoU.js","/assets/inbox-page-BCf4VzsK.js","/assets/new-mail-B69Q8t8s.js","/assets/thread-marks-CSJ75v8C.js","/assets/list-entries-page-Cc3NZZHh.js","/assets/lists-page-JFrYgN-p.js","/assets/notifications-page-CzDT4V3q.js","/assets/add-related-B4hBj1YK.js","/assets/add-to-list-CPZC5NxW.js","/assets/history-dialog-D6ULdclr.js","/assets/history-dialog-B-ueuZdd.css","/assets/record-menu-BlXNRwHj.js","/assets/record-page-BzBfbrqb.js","/assets/record-page-DMkx8AoS.css","/assets/list-menu-CciBKtSV.js","/assets/list-page-Ihii14Nf.js","/assets/list-page-D_xqyly3.css","/assets/new-record-DZSzLr16.js","/assets/trash-page-DxpKm42V.js","/assets/trash-page-BCfhwtIE.css","/assets/rename-view-CT9lPHDc.js","/assets/accounts-page-TLOHTgm4.js","/assets/accounts-page-CEQdo-lO.css","/assets/apps-page-DAzPGkTm.js","/assets/audit-page-BG9dhafm.js","/assets/audit-page-Tg7SW5V4.css","/assets/keyboard-page-DHw0dPl8.js","/assets/organization-page-C3N_8rmz.js","/assets/people-page-Cmt_8l5F.js","/assets/roles-page-B4bD-bBE.js","/assets/settings-page-D2mKGSN1.js","/assets/tokens-page-6gvqmKcK.js","/assets/tokens-page-7CRX_wOw.css","/assets/you-page-DqhLSNx6.js","/assets/due-popover-B0v-LEVc.js","/assets/person-picker-BMCiOaZR.js","/assets/record-picker-C-ENRJ1h.js","/assets/tasks-page-DtzG05-t.js","/assets/tasks-page-BcKza3pT.css","/assets/pop-over-B92eNWtw.js"]};
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

// Runs before everything else of the page: what the page is going to need is asked for while its modules are on their way.
// The build puts this in place of `built`: which files each page is made of, and all others.
/* global built */
(() => {
  const { pages, others } = {"pages":[["/r/[^/]+/trash(/.*)?",["/assets/trash-page-BfJ8wCLA.js","/assets/trash-page-BCfhwtIE.css","/assets/no-access-CMJV-H92.js"]],["/r/[^/]+/[^/]+(/.*)?",["/assets/record-page-wsMXohrO.js","/assets/record-page-CSFS_PFY.css","/assets/shown-meanwhile-B4d-iJuE.js","/assets/shown-meanwhile-Ce7jmdXO.css","/assets/icons-CfZtl6-S.js","/assets/value-editor-Dins87Ch.js","/assets/value-editor--hc1I7dR.css","/assets/value-B_Yy5hg0.js","/assets/value-Dge1Pjxo.css","/assets/record-name-DTv6c8sB.js","/assets/direction-COdUsXGH.js","/assets/in-sentence-G8KTgafj.js"]],["/r/[^/]+(/.*)?",["/assets/list-page-DMjJ8132.js","/assets/list-page-WT-3C-97.css","/assets/no-access-CMJV-H92.js","/assets/shown-meanwhile-B4d-iJuE.js","/assets/shown-meanwhile-Ce7jmdXO.css","/assets/icons-CfZtl6-S.js","/assets/value-editor-Dins87Ch.js","/assets/value-editor--hc1I7dR.css","/assets/value-B_Yy5hg0.js","/assets/value-Dge1Pjxo.css","/assets/record-name-DTv6c8sB.js","/assets/words-Cf-ns8Se.js","/assets/direction-COdUsXGH.js","/assets/row-height-DbkdDluO.js"]],["/dashboards/[^/]+(/.*)?",["/assets/dashboard-page-DI6B_rSH.js","/assets/icons-CfZtl6-S.js","/assets/use-dashboards-K_Ju1uXy.js","/assets/use-dashboards-Cslc0bD7.css","/assets/value-text-CSnS_SUp.js"]],["/lists/[^/]+(/.*)?",["/assets/list-entries-page-C450dDKq.js","/assets/icons-CfZtl6-S.js","/assets/record-name-DTv6c8sB.js","/assets/lists.module-BCaK62dX.js","/assets/lists-g7ecWEvu.css","/assets/value-editor-Dins87Ch.js","/assets/value-editor--hc1I7dR.css","/assets/value-B_Yy5hg0.js","/assets/value-Dge1Pjxo.css"]],["/import/[^/]+(/.*)?",["/assets/import-page-BDbAVAjm.js","/assets/icons-CfZtl6-S.js","/assets/read-file-ClVP94Mv.js","/assets/read-file-DnNH4G_g.css","/assets/value-text-CSnS_SUp.js","/assets/save-file-Ditcmzjl.js"]],["/home(/.*)?",["/assets/home-page-CF0pS2qE.js","/assets/home-page--3CczgM1.css","/assets/use-task-writes-CMg6LmMg.js","/assets/use-task-writes-Cw5V8Lea.css","/assets/meeting-data-USHaLZUd.js","/assets/notification-row-BdpzgvvZ.js","/assets/notification-row-CFO-YrFB.css","/assets/icons-CfZtl6-S.js","/assets/use-open-record-B-jC7ZYF.js","/assets/in-sentence-G8KTgafj.js","/assets/record-name-DTv6c8sB.js","/assets/task-row-BGy6oC-F.js"]],["/inbox(/.*)?",["/assets/inbox-page-DaO-rDta.js","/assets/reply-form-C2lfiGcf.js","/assets/reply-form-CovtpZk1.css","/assets/icons-CfZtl6-S.js","/assets/use-more-at-end-D1FBViYr.js","/assets/record-name-DTv6c8sB.js","/assets/task-composer-Dqe2zoeQ.js","/assets/use-task-writes-CMg6LmMg.js","/assets/use-task-writes-Cw5V8Lea.css"]],["/tasks(/.*)?",["/assets/tasks-page-DqCbIl2K.js","/assets/tasks-page-BcKza3pT.css","/assets/icons-CfZtl6-S.js","/assets/no-access-CMJV-H92.js","/assets/task-composer-Dqe2zoeQ.js","/assets/use-task-writes-CMg6LmMg.js","/assets/use-task-writes-Cw5V8Lea.css","/assets/use-more-at-end-D1FBViYr.js","/assets/task-row-BGy6oC-F.js"]],["/calendar(/.*)?",["/assets/calendar-page-Bh4QkJO8.js","/assets/calendar-page-C7T9AoKT.css","/assets/use-task-writes-CMg6LmMg.js","/assets/use-task-writes-Cw5V8Lea.css","/assets/meeting-data-USHaLZUd.js","/assets/icons-CfZtl6-S.js","/assets/task-composer-Dqe2zoeQ.js","/assets/direction-COdUsXGH.js"]],["/notifications(/.*)?",["/assets/notifications-page-EcPpdAwQ.js","/assets/use-more-at-end-D1FBViYr.js","/assets/notification-row-BdpzgvvZ.js","/assets/notification-row-CFO-YrFB.css","/assets/icons-CfZtl6-S.js","/assets/use-open-record-B-jC7ZYF.js","/assets/in-sentence-G8KTgafj.js"]],["/dashboards(/.*)?",["/assets/dashboards-page-CAHpSwVR.js","/assets/new-by-name-C9gGLHtS.js","/assets/use-dashboards-K_Ju1uXy.js","/assets/use-dashboards-Cslc0bD7.css"]],["/lists(/.*)?",["/assets/lists-page-B_HOS3ih.js","/assets/new-by-name-C9gGLHtS.js","/assets/lists.module-BCaK62dX.js","/assets/lists-g7ecWEvu.css"]],["/duplicates(/.*)?",["/assets/duplicates-page-B5H6-keN.js","/assets/duplicates-page-TqTIGCzA.css","/assets/record-name-DTv6c8sB.js","/assets/icons-CfZtl6-S.js","/assets/value-B_Yy5hg0.js","/assets/value-Dge1Pjxo.css"]],["/agents(/.*)?",["/assets/agents-page-Bj0E-DZz.js","/assets/agents-page-Cy4n7DKx.css","/assets/icons-CfZtl6-S.js","/assets/value-text-CSnS_SUp.js"]],["/import(/.*)?",["/assets/imports-page-Dz_MVQaM.js","/assets/read-file-ClVP94Mv.js","/assets/read-file-DnNH4G_g.css"]],["/settings(/.*)?",["/assets/settings-page-CZuT9g8d.js","/assets/icons-CfZtl6-S.js","/assets/pages-DHm-oQET.js","/assets/settings.module-D3v855w2.js","/assets/settings-UzL6V7i_.css"]]],"others":["/assets/code-block-BIQdDDd3.js","/assets/code-block-FkKBZDUO.css","/assets/direction-COdUsXGH.js","/assets/field-form-1YNhrtsR.js","/assets/field-form-WDBlqgMW.css","/assets/icons-CfZtl6-S.js","/assets/in-sentence-G8KTgafj.js","/assets/key-list-L27lUCqN.js","/assets/key-list-mpYJxI-Z.css","/assets/last-use-xPmGabTd.js","/assets/lists-g7ecWEvu.css","/assets/lists.module-BCaK62dX.js","/assets/meeting-data-USHaLZUd.js","/assets/menu-BeElnPb7.css","/assets/menu-CINodAVU.js","/assets/new-by-name-C9gGLHtS.js","/assets/no-access-CMJV-H92.js","/assets/notification-row-BdpzgvvZ.js","/assets/notification-row-CFO-YrFB.css","/assets/pages-DHm-oQET.js","/assets/people-data-BvlMAIUp.js","/assets/read-file-ClVP94Mv.js","/assets/read-file-DnNH4G_g.css","/assets/read-only-DsshcyS4.js","/assets/record-name-DTv6c8sB.js","/assets/reply-form-C2lfiGcf.js","/assets/reply-form-CovtpZk1.css","/assets/row-height-DbkdDluO.js","/assets/save-file-Ditcmzjl.js","/assets/setting-DUl2dDtJ.js","/assets/setting-list-BV_mrbYc.js","/assets/setting-table-CzJ85vJU.js","/assets/setting-texts-yiEeXMGH.js","/assets/settings-UzL6V7i_.css","/assets/settings.module-D3v855w2.js","/assets/shown-meanwhile-B4d-iJuE.js","/assets/shown-meanwhile-Ce7jmdXO.css","/assets/task-composer-Dqe2zoeQ.js","/assets/task-row-BGy6oC-F.js","/assets/use-dashboards-Cslc0bD7.css","/assets/use-dashboards-K_Ju1uXy.js","/assets/use-more-at-end-D1FBViYr.js","/assets/use-open-record-B-jC7ZYF.js","/assets/use-task-writes-CMg6LmMg.js","/assets/use-task-writes-Cw5V8Lea.css","/assets/value-B_Yy5hg0.js","/assets/value-Dge1Pjxo.css","/assets/value-editor--hc1I7dR.css","/assets/value-editor-Dins87Ch.js","/assets/value-text-CSnS_SUp.js","/assets/words-Cf-ns8Se.js","/assets/agents-page-Bj0E-DZz.js","/assets/agents-page-Cy4n7DKx.css","/assets/assistant-CXYAIkFh.js","/assets/going-1n8nebmT.js","/assets/going-bkqJwWo1.css","/assets/key-sheet-DoPL7JDB.js","/assets/palette-DxOrxjtz.js","/assets/palette-z3M5P7nW.css","/assets/person-choices-PxBJ8aGd.js","/assets/board-SMJVveKQ.js","/assets/board-DWNzNale.css","/assets/calendar-page-Bh4QkJO8.js","/assets/calendar-page-C7T9AoKT.css","/assets/dashboard-page-DI6B_rSH.js","/assets/dashboards-page-CAHpSwVR.js","/assets/delete-dashboard-Da8UM_t_.js","/assets/new-chart-DmuHOxCa.js","/assets/duplicates-page-B5H6-keN.js","/assets/duplicates-page-TqTIGCzA.css","/assets/home-page-CF0pS2qE.js","/assets/home-page--3CczgM1.css","/assets/german-DdAThJ2A.js","/assets/import-page-BDbAVAjm.js","/assets/imports-page-Dz_MVQaM.js","/assets/inbox-page-DaO-rDta.js","/assets/new-mail-bwY5rstQ.js","/assets/thread-marks-BMmErCP4.js","/assets/list-entries-page-C450dDKq.js","/assets/lists-page-B_HOS3ih.js","/assets/notifications-page-EcPpdAwQ.js","/assets/add-related-JaVF1013.js","/assets/add-to-list-C-jmaxGM.js","/assets/history-dialog-DTKqrjB7.js","/assets/history-dialog-B-ueuZdd.css","/assets/record-menu-DahgfvcJ.js","/assets/record-page-wsMXohrO.js","/assets/record-page-CSFS_PFY.css","/assets/list-menu-D-ChrOe_.js","/assets/list-page-DMjJ8132.js","/assets/list-page-WT-3C-97.css","/assets/new-record-CxJMVvNt.js","/assets/trash-page-BfJ8wCLA.js","/assets/trash-page-BCfhwtIE.css","/assets/rename-view-7QynbXbN.js","/assets/accounts-page-DEmb84Ed.js","/assets/accounts-page-CEQdo-lO.css","/assets/apps-page-DuI_TW0y.js","/assets/audit-page-tluqDjGc.js","/assets/audit-page-Tg7SW5V4.css","/assets/keyboard-page-D8ZC68zk.js","/assets/organization-page-Czz1tsoy.js","/assets/people-page-CzunUJNt.js","/assets/roles-page-CugLiuMd.js","/assets/settings-page-CZuT9g8d.js","/assets/tokens-page-BbVpSGXy.js","/assets/tokens-page-7CRX_wOw.css","/assets/you-page-B6xJbCDp.js","/assets/due-popover-C6WOuVyp.js","/assets/person-picker-DyTu65PT.js","/assets/record-picker-k7v_RIWv.js","/assets/tasks-page-DqCbIl2K.js","/assets/tasks-page-BcKza3pT.css","/assets/pop-over-BSyaRa0S.js"]};
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
    // Whoever takes it is told; nobody has to.
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
    /** Has the browser keep the files of all other pages, a few at a time, so that they are there when the service is away; called again, it goes on. */
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

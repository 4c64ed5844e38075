// Runs before everything else of the page: what the page is going to need is asked for while its modules are on their way.
// The build puts this in place of `built`: which files each page is made of, and all others.
/* global built */
(() => {
  const { pages, others } = {"pages":[["/r/[^/]+/trash(/.*)?",["/assets/trash-page-DZHfD5Kw.js","/assets/trash-page-BCfhwtIE.css","/assets/no-access-BkSPkrQm.js"]],["/r/[^/]+/[^/]+(/.*)?",["/assets/record-page-BPamu8-D.js","/assets/record-page-CSFS_PFY.css","/assets/shown-meanwhile-BQ_Q8isk.js","/assets/shown-meanwhile-Ce7jmdXO.css","/assets/icons-CxlkdIg_.js","/assets/value-editor-CzCItQMG.js","/assets/value-editor--hc1I7dR.css","/assets/value-Bul0_s9D.js","/assets/value-Dge1Pjxo.css","/assets/record-name-DTv6c8sB.js","/assets/direction-COdUsXGH.js","/assets/in-sentence-G8KTgafj.js"]],["/r/[^/]+(/.*)?",["/assets/list-page-BJ8w_2aL.js","/assets/list-page-WT-3C-97.css","/assets/no-access-BkSPkrQm.js","/assets/shown-meanwhile-BQ_Q8isk.js","/assets/shown-meanwhile-Ce7jmdXO.css","/assets/icons-CxlkdIg_.js","/assets/value-editor-CzCItQMG.js","/assets/value-editor--hc1I7dR.css","/assets/value-Bul0_s9D.js","/assets/value-Dge1Pjxo.css","/assets/record-name-DTv6c8sB.js","/assets/words-ChpLW95J.js","/assets/direction-COdUsXGH.js","/assets/row-height-DUa6csPN.js"]],["/dashboards/[^/]+(/.*)?",["/assets/dashboard-page-DDfX5eT_.js","/assets/icons-CxlkdIg_.js","/assets/use-dashboards-Bb1FMsXR.js","/assets/use-dashboards-Cslc0bD7.css","/assets/value-text-YUv2Vca5.js"]],["/lists/[^/]+(/.*)?",["/assets/list-entries-page-CWUJnOo7.js","/assets/icons-CxlkdIg_.js","/assets/record-name-DTv6c8sB.js","/assets/lists.module-BCaK62dX.js","/assets/lists-g7ecWEvu.css","/assets/value-editor-CzCItQMG.js","/assets/value-editor--hc1I7dR.css","/assets/value-Bul0_s9D.js","/assets/value-Dge1Pjxo.css"]],["/import/[^/]+(/.*)?",["/assets/import-page-WTr_C5cs.js","/assets/icons-CxlkdIg_.js","/assets/read-file-DSLE4KWX.js","/assets/read-file-DnNH4G_g.css","/assets/value-text-YUv2Vca5.js","/assets/save-file-Ditcmzjl.js"]],["/home(/.*)?",["/assets/home-page-D6YXqfbr.js","/assets/home-page--3CczgM1.css","/assets/use-task-writes-CzR_IlHO.js","/assets/use-task-writes-Cw5V8Lea.css","/assets/meeting-data-Dp7DDIqR.js","/assets/notification-row-CiEVLDBr.js","/assets/notification-row-CFO-YrFB.css","/assets/icons-CxlkdIg_.js","/assets/use-open-record-Cunxi3oB.js","/assets/in-sentence-G8KTgafj.js","/assets/record-name-DTv6c8sB.js","/assets/task-row-BvSK-oWV.js"]],["/inbox(/.*)?",["/assets/inbox-page-Dvcl5xqG.js","/assets/reply-form-rA9t-1M3.js","/assets/reply-form-CovtpZk1.css","/assets/icons-CxlkdIg_.js","/assets/use-more-at-end-D1FBViYr.js","/assets/record-name-DTv6c8sB.js","/assets/task-composer-CTn3oaCr.js","/assets/use-task-writes-CzR_IlHO.js","/assets/use-task-writes-Cw5V8Lea.css"]],["/tasks(/.*)?",["/assets/tasks-page-Cky6VwWZ.js","/assets/tasks-page-BcKza3pT.css","/assets/icons-CxlkdIg_.js","/assets/no-access-BkSPkrQm.js","/assets/task-composer-CTn3oaCr.js","/assets/use-task-writes-CzR_IlHO.js","/assets/use-task-writes-Cw5V8Lea.css","/assets/use-more-at-end-D1FBViYr.js","/assets/task-row-BvSK-oWV.js"]],["/calendar(/.*)?",["/assets/calendar-page-CM6qZFLj.js","/assets/calendar-page-C7T9AoKT.css","/assets/use-task-writes-CzR_IlHO.js","/assets/use-task-writes-Cw5V8Lea.css","/assets/meeting-data-Dp7DDIqR.js","/assets/icons-CxlkdIg_.js","/assets/task-composer-CTn3oaCr.js","/assets/direction-COdUsXGH.js"]],["/notifications(/.*)?",["/assets/notifications-page-DgjUtKZj.js","/assets/use-more-at-end-D1FBViYr.js","/assets/notification-row-CiEVLDBr.js","/assets/notification-row-CFO-YrFB.css","/assets/icons-CxlkdIg_.js","/assets/use-open-record-Cunxi3oB.js","/assets/in-sentence-G8KTgafj.js"]],["/dashboards(/.*)?",["/assets/dashboards-page-B1FVTig3.js","/assets/new-by-name-NiMe_Taj.js","/assets/use-dashboards-Bb1FMsXR.js","/assets/use-dashboards-Cslc0bD7.css"]],["/lists(/.*)?",["/assets/lists-page-B2slGhan.js","/assets/new-by-name-NiMe_Taj.js","/assets/lists.module-BCaK62dX.js","/assets/lists-g7ecWEvu.css"]],["/duplicates(/.*)?",["/assets/duplicates-page-Cx-f3c2c.js","/assets/duplicates-page-TqTIGCzA.css","/assets/record-name-DTv6c8sB.js","/assets/icons-CxlkdIg_.js","/assets/value-Bul0_s9D.js","/assets/value-Dge1Pjxo.css"]],["/agents(/.*)?",["/assets/agents-page-D4q5iIsd.js","/assets/agents-page-Cy4n7DKx.css","/assets/icons-CxlkdIg_.js","/assets/value-text-YUv2Vca5.js"]],["/import(/.*)?",["/assets/imports-page-Blej5ig7.js","/assets/read-file-DSLE4KWX.js","/assets/read-file-DnNH4G_g.css"]],["/settings(/.*)?",["/assets/settings-page-DLq3SMIY.js","/assets/icons-CxlkdIg_.js","/assets/pages-DHm-oQET.js","/assets/settings.module-D3v855w2.js","/assets/settings-UzL6V7i_.css"]]],"others":["/assets/code-block-FkKBZDUO.css","/assets/code-block-wmEGoFt0.js","/assets/direction-COdUsXGH.js","/assets/field-form-BIjgH6oC.js","/assets/field-form-WDBlqgMW.css","/assets/icons-CxlkdIg_.js","/assets/in-sentence-G8KTgafj.js","/assets/key-list-B0GSVVfY.js","/assets/key-list-mpYJxI-Z.css","/assets/last-use-DeC8xLFv.js","/assets/lists-g7ecWEvu.css","/assets/lists.module-BCaK62dX.js","/assets/meeting-data-Dp7DDIqR.js","/assets/menu-BeElnPb7.css","/assets/menu-DBdOGNtX.js","/assets/new-by-name-NiMe_Taj.js","/assets/no-access-BkSPkrQm.js","/assets/notification-row-CFO-YrFB.css","/assets/notification-row-CiEVLDBr.js","/assets/pages-DHm-oQET.js","/assets/people-data-DyhxYOIf.js","/assets/read-file-DSLE4KWX.js","/assets/read-file-DnNH4G_g.css","/assets/read-only-CZezLpj2.js","/assets/record-name-DTv6c8sB.js","/assets/reply-form-CovtpZk1.css","/assets/reply-form-rA9t-1M3.js","/assets/row-height-DUa6csPN.js","/assets/save-file-Ditcmzjl.js","/assets/setting-BAt6msu3.js","/assets/setting-list-DgmfosgB.js","/assets/setting-table-BSU3hdax.js","/assets/setting-texts-4KXcpAMY.js","/assets/settings-UzL6V7i_.css","/assets/settings.module-D3v855w2.js","/assets/shown-meanwhile-BQ_Q8isk.js","/assets/shown-meanwhile-Ce7jmdXO.css","/assets/task-composer-CTn3oaCr.js","/assets/task-row-BvSK-oWV.js","/assets/use-dashboards-Bb1FMsXR.js","/assets/use-dashboards-Cslc0bD7.css","/assets/use-more-at-end-D1FBViYr.js","/assets/use-open-record-Cunxi3oB.js","/assets/use-task-writes-Cw5V8Lea.css","/assets/use-task-writes-CzR_IlHO.js","/assets/value-Bul0_s9D.js","/assets/value-Dge1Pjxo.css","/assets/value-editor--hc1I7dR.css","/assets/value-editor-CzCItQMG.js","/assets/value-text-YUv2Vca5.js","/assets/words-ChpLW95J.js","/assets/agents-page-D4q5iIsd.js","/assets/agents-page-Cy4n7DKx.css","/assets/assistant-DLOxmrFr.js","/assets/going-DbyTruP7.js","/assets/going-bkqJwWo1.css","/assets/key-sheet-CteEvnET.js","/assets/palette-BOgUGrtJ.js","/assets/palette-z3M5P7nW.css","/assets/person-choices-C1RDPio8.js","/assets/board-DnDW6iMh.js","/assets/board-DWNzNale.css","/assets/calendar-page-CM6qZFLj.js","/assets/calendar-page-C7T9AoKT.css","/assets/dashboard-page-DDfX5eT_.js","/assets/dashboards-page-B1FVTig3.js","/assets/delete-dashboard-DoV_4fwm.js","/assets/new-chart-DbDUNAB4.js","/assets/duplicates-page-Cx-f3c2c.js","/assets/duplicates-page-TqTIGCzA.css","/assets/home-page-D6YXqfbr.js","/assets/home-page--3CczgM1.css","/assets/german-FJ-eDFLG.js","/assets/import-page-WTr_C5cs.js","/assets/imports-page-Blej5ig7.js","/assets/inbox-page-Dvcl5xqG.js","/assets/new-mail-4Jmn7zED.js","/assets/thread-marks-Dr0kjVqX.js","/assets/list-entries-page-CWUJnOo7.js","/assets/lists-page-B2slGhan.js","/assets/notifications-page-DgjUtKZj.js","/assets/add-related-DWngNebr.js","/assets/add-to-list-DFOwmt_z.js","/assets/history-dialog-BQa0B3wV.js","/assets/history-dialog-B-ueuZdd.css","/assets/record-menu-DNBC7MgL.js","/assets/record-page-BPamu8-D.js","/assets/record-page-CSFS_PFY.css","/assets/list-menu-DiU-2dJw.js","/assets/list-page-BJ8w_2aL.js","/assets/list-page-WT-3C-97.css","/assets/new-record-CSMXi_bj.js","/assets/trash-page-DZHfD5Kw.js","/assets/trash-page-BCfhwtIE.css","/assets/rename-view-DoLA5L3G.js","/assets/accounts-page-DrB568nZ.js","/assets/accounts-page-CEQdo-lO.css","/assets/apps-page-Dv1HbDmZ.js","/assets/audit-page-oicbCYVA.js","/assets/audit-page-Tg7SW5V4.css","/assets/keyboard-page-CBKlwzu_.js","/assets/organization-page-CV_7jj4Z.js","/assets/people-page-BQczIotl.js","/assets/roles-page-CMULumGb.js","/assets/settings-page-DLq3SMIY.js","/assets/tokens-page-B9TWJg5p.js","/assets/tokens-page-7CRX_wOw.css","/assets/you-page-Dz4DFaJz.js","/assets/due-popover-Fze8rdSD.js","/assets/person-picker-6JwtUyva.js","/assets/record-picker-BzZ3hVse.js","/assets/tasks-page-Cky6VwWZ.js","/assets/tasks-page-BcKza3pT.css","/assets/pop-over-DXLgRdil.js"]};
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

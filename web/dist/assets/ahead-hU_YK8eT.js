// Runs before everything else on the page and sends the requests that the page will make while its modules are
// loading. The build replaces `built` with the files of each page and the remaining files.
/* global built */
(() => {
  const { pages, others } = {"pages":[["/r/[^/]+/trash(/.*)?",["/assets/trash-page-D2XO_GmA.js","/assets/trash-page-BCfhwtIE.css","/assets/no-object-Pya0cpzi.js","/assets/no-access-BfZGQboU.js"]],["/r/[^/]+/[^/]+(/.*)?",["/assets/record-page-DFNJqzII.js","/assets/record-page-DMkx8AoS.css","/assets/shown-meanwhile-pbTyKbUa.js","/assets/shown-meanwhile-Ce7jmdXO.css","/assets/icons-BMc2qjVW.js","/assets/value-editor-akTemXWt.js","/assets/value-editor--hc1I7dR.css","/assets/value-L-_Q4xks.js","/assets/value-Dge1Pjxo.css","/assets/direction-COdUsXGH.js","/assets/contact-of-BRH_q1RP.js","/assets/in-sentence-G8KTgafj.js"]],["/r/[^/]+(/.*)?",["/assets/list-page-CEHXk8JW.js","/assets/list-page-D_xqyly3.css","/assets/no-object-Pya0cpzi.js","/assets/no-access-BfZGQboU.js","/assets/shown-meanwhile-pbTyKbUa.js","/assets/shown-meanwhile-Ce7jmdXO.css","/assets/icons-BMc2qjVW.js","/assets/value-editor-akTemXWt.js","/assets/value-editor--hc1I7dR.css","/assets/value-L-_Q4xks.js","/assets/value-Dge1Pjxo.css","/assets/words-bOiPQdjr.js","/assets/direction-COdUsXGH.js","/assets/row-height-UQzeHq57.js"]],["/dashboards/[^/]+(/.*)?",["/assets/dashboard-page-CSQEEsV_.js","/assets/icons-BMc2qjVW.js","/assets/use-dashboards-DTUZI9bw.js","/assets/use-dashboards-D5tofRZ1.css","/assets/value-text-LvLquGgl.js"]],["/lists/[^/]+(/.*)?",["/assets/list-entries-page-Cx0YorBG.js","/assets/icons-BMc2qjVW.js","/assets/lists.module-BCaK62dX.js","/assets/lists-g7ecWEvu.css","/assets/value-editor-akTemXWt.js","/assets/value-editor--hc1I7dR.css","/assets/value-L-_Q4xks.js","/assets/value-Dge1Pjxo.css"]],["/import/[^/]+(/.*)?",["/assets/import-page-gUW2ksyR.js","/assets/icons-BMc2qjVW.js","/assets/read-file-fIVEyb7n.js","/assets/read-file-DnNH4G_g.css","/assets/value-text-LvLquGgl.js","/assets/save-file-Ditcmzjl.js"]],["/home(/.*)?",["/assets/home-page-BhMSHdJ1.js","/assets/home-page--3CczgM1.css","/assets/meeting-data-C58euj84.js","/assets/notification-row-LHBAXtD5.js","/assets/notification-row-CFO-YrFB.css","/assets/icons-BMc2qjVW.js","/assets/use-open-record-BQzC_x13.js","/assets/in-sentence-G8KTgafj.js","/assets/task-row-KPHmwcei.js","/assets/use-task-writes-D6OXru0l.js","/assets/use-task-writes-Cw5V8Lea.css"]],["/inbox(/.*)?",["/assets/inbox-page-F-pPp5-p.js","/assets/reply-form-DE7jTUlz.js","/assets/reply-form-CovtpZk1.css","/assets/icons-BMc2qjVW.js","/assets/contact-of-BRH_q1RP.js","/assets/use-more-at-end-D1FBViYr.js","/assets/task-composer-BiWnlATS.js","/assets/use-task-writes-D6OXru0l.js","/assets/use-task-writes-Cw5V8Lea.css"]],["/tasks(/.*)?",["/assets/tasks-page-CZiyCAvd.js","/assets/tasks-page-BcKza3pT.css","/assets/icons-BMc2qjVW.js","/assets/no-access-BfZGQboU.js","/assets/task-composer-BiWnlATS.js","/assets/use-task-writes-D6OXru0l.js","/assets/use-task-writes-Cw5V8Lea.css","/assets/use-more-at-end-D1FBViYr.js","/assets/task-row-KPHmwcei.js"]],["/calendar(/.*)?",["/assets/calendar-page-B_pgIMCY.js","/assets/calendar-page-C7T9AoKT.css","/assets/meeting-data-C58euj84.js","/assets/icons-BMc2qjVW.js","/assets/task-composer-BiWnlATS.js","/assets/use-task-writes-D6OXru0l.js","/assets/use-task-writes-Cw5V8Lea.css","/assets/direction-COdUsXGH.js"]],["/notifications(/.*)?",["/assets/notifications-page-BQmNn4QM.js","/assets/use-more-at-end-D1FBViYr.js","/assets/notification-row-LHBAXtD5.js","/assets/notification-row-CFO-YrFB.css","/assets/icons-BMc2qjVW.js","/assets/use-open-record-BQzC_x13.js","/assets/in-sentence-G8KTgafj.js"]],["/dashboards(/.*)?",["/assets/dashboards-page-ChJ4NXfc.js","/assets/new-by-name-CCPWjWzb.js","/assets/use-dashboards-DTUZI9bw.js","/assets/use-dashboards-D5tofRZ1.css"]],["/lists(/.*)?",["/assets/lists-page-BRMPZtnm.js","/assets/new-by-name-CCPWjWzb.js","/assets/lists.module-BCaK62dX.js","/assets/lists-g7ecWEvu.css"]],["/duplicates(/.*)?",["/assets/duplicates-page-C6BIDGBF.js","/assets/duplicates-page-TqTIGCzA.css","/assets/icons-BMc2qjVW.js","/assets/value-L-_Q4xks.js","/assets/value-Dge1Pjxo.css"]],["/agents(/.*)?",["/assets/agents-page-D0yiTVZp.js","/assets/agents-page-DIzkDFsZ.css","/assets/icons-BMc2qjVW.js","/assets/value-text-LvLquGgl.js"]],["/import(/.*)?",["/assets/imports-page-CQCMEzZJ.js","/assets/read-file-fIVEyb7n.js","/assets/read-file-DnNH4G_g.css"]],["/settings(/.*)?",["/assets/settings-page-Dnx5xoWG.js","/assets/icons-BMc2qjVW.js","/assets/pages-DHm-oQET.js","/assets/settings.module-D3v855w2.js","/assets/settings-UzL6V7i_.css"]]],"others":["/assets/code-block-DE4WWiF3.js","/assets/code-block-FkKBZDUO.css","/assets/contact-of-BRH_q1RP.js","/assets/direction-COdUsXGH.js","/assets/field-form-LjNOIqFf.js","/assets/field-form-WDBlqgMW.css","/assets/icons-BMc2qjVW.js","/assets/in-sentence-G8KTgafj.js","/assets/key-list-BrAKPDQi.js","/assets/key-list-mpYJxI-Z.css","/assets/last-use-C2uVQHWu.js","/assets/lists-g7ecWEvu.css","/assets/lists.module-BCaK62dX.js","/assets/meeting-data-C58euj84.js","/assets/menu-BeElnPb7.css","/assets/menu-BzuDxu9c.js","/assets/new-by-name-CCPWjWzb.js","/assets/no-access-BfZGQboU.js","/assets/no-object-Pya0cpzi.js","/assets/notification-row-CFO-YrFB.css","/assets/notification-row-LHBAXtD5.js","/assets/pages-DHm-oQET.js","/assets/people-data-CPOPI-GP.js","/assets/read-file-DnNH4G_g.css","/assets/read-file-fIVEyb7n.js","/assets/read-only-D_xBLTBo.js","/assets/reply-form-CovtpZk1.css","/assets/reply-form-DE7jTUlz.js","/assets/row-height-UQzeHq57.js","/assets/save-file-Ditcmzjl.js","/assets/setting-DnEIkVnG.js","/assets/setting-list-BJQfwV4h.js","/assets/setting-table-CsrzsYjI.js","/assets/setting-texts-DMfZZzJi.js","/assets/settings-UzL6V7i_.css","/assets/settings.module-D3v855w2.js","/assets/shown-meanwhile-Ce7jmdXO.css","/assets/shown-meanwhile-pbTyKbUa.js","/assets/task-composer-BiWnlATS.js","/assets/task-row-KPHmwcei.js","/assets/use-dashboards-D5tofRZ1.css","/assets/use-dashboards-DTUZI9bw.js","/assets/use-more-at-end-D1FBViYr.js","/assets/use-open-record-BQzC_x13.js","/assets/use-task-writes-Cw5V8Lea.css","/assets/use-task-writes-D6OXru0l.js","/assets/value-Dge1Pjxo.css","/assets/value-L-_Q4xks.js","/assets/value-editor--hc1I7dR.css","/assets/value-editor-akTemXWt.js","/assets/value-text-LvLquGgl.js","/assets/words-bOiPQdjr.js","/assets/agents-page-D0yiTVZp.js","/assets/agents-page-DIzkDFsZ.css","/assets/assistant-BPw5taIk.js","/assets/going-Dy6xqxuL.js","/assets/going-bkqJwWo1.css","/assets/key-sheet-HxYdKIge.js","/assets/palette-wMeQRgPX.js","/assets/palette-z3M5P7nW.css","/assets/person-choices-CbOyai76.js","/assets/board-Byeczdyr.js","/assets/board-BtkhCY1K.css","/assets/calendar-page-B_pgIMCY.js","/assets/calendar-page-C7T9AoKT.css","/assets/dashboard-page-CSQEEsV_.js","/assets/dashboards-page-ChJ4NXfc.js","/assets/delete-dashboard-DUvRQc9s.js","/assets/new-chart-Co3tIrMd.js","/assets/duplicates-page-C6BIDGBF.js","/assets/duplicates-page-TqTIGCzA.css","/assets/home-page-BhMSHdJ1.js","/assets/home-page--3CczgM1.css","/assets/german-DcPUraVS.js","/assets/import-page-gUW2ksyR.js","/assets/imports-page-CQCMEzZJ.js","/assets/inbox-page-F-pPp5-p.js","/assets/new-mail-JGx8pyQ6.js","/assets/thread-marks-Cul3Jlbt.js","/assets/list-entries-page-Cx0YorBG.js","/assets/lists-page-BRMPZtnm.js","/assets/notifications-page-BQmNn4QM.js","/assets/add-related-ClQE_pLT.js","/assets/add-to-list-3gM2Gc87.js","/assets/history-dialog-JQa7sN13.js","/assets/history-dialog-B-ueuZdd.css","/assets/record-menu-g5kpUjPw.js","/assets/record-page-DFNJqzII.js","/assets/record-page-DMkx8AoS.css","/assets/list-menu-Id0WW1SO.js","/assets/list-page-CEHXk8JW.js","/assets/list-page-D_xqyly3.css","/assets/new-record-DtLHAMLH.js","/assets/trash-page-D2XO_GmA.js","/assets/trash-page-BCfhwtIE.css","/assets/rename-view-DjYwxYb4.js","/assets/accounts-page-Bx5XufS1.js","/assets/accounts-page-CEQdo-lO.css","/assets/apps-page-sfNMD66o.js","/assets/audit-page-D-LeZKjW.js","/assets/audit-page-Tg7SW5V4.css","/assets/keyboard-page-CWq6TskB.js","/assets/organization-page-DlGyqwmJ.js","/assets/people-page-X6ZBoipC.js","/assets/roles-page-B9CuAGOf.js","/assets/settings-page-Dnx5xoWG.js","/assets/tokens-page-D-f_c-Sv.js","/assets/tokens-page-7CRX_wOw.css","/assets/you-page-CVRI82dL.js","/assets/due-popover-DPQeOlqe.js","/assets/person-picker-CFKHCHMh.js","/assets/record-picker-CyoO7Mlf.js","/assets/tasks-page-CZiyCAvd.js","/assets/tasks-page-BcKza3pT.css","/assets/pop-over-DSD7zn2G.js"]};
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

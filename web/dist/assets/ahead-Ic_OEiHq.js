// Runs before everything else on the page and sends the requests that the page will make while its modules are
// loading. The build replaces `built` with the files of each page and the remaining files.
/* global built */
(() => {
  const { pages, others } = {"pages":[["/r/[^/]+/trash(/.*)?",["/assets/trash-page-CVrXIw5Z.js","/assets/trash-page-BCfhwtIE.css","/assets/no-object-DNxdLTKH.js","/assets/no-access-DRbdiAt8.js"]],["/r/[^/]+/[^/]+(/.*)?",["/assets/record-page-DwzFy3Ln.js","/assets/record-page-DMkx8AoS.css","/assets/shown-meanwhile-Cj1o1dle.js","/assets/shown-meanwhile-Ce7jmdXO.css","/assets/icons-Bs0ARBNS.js","/assets/value-editor-Bs32pEYb.js","/assets/value-editor--hc1I7dR.css","/assets/value-Bt5dX-cg.js","/assets/value-Dge1Pjxo.css","/assets/direction-COdUsXGH.js","/assets/contact-of-WVR4M2RD.js","/assets/in-sentence-G8KTgafj.js"]],["/r/[^/]+(/.*)?",["/assets/list-page-Tlgxyr0k.js","/assets/list-page-D_xqyly3.css","/assets/no-object-DNxdLTKH.js","/assets/no-access-DRbdiAt8.js","/assets/shown-meanwhile-Cj1o1dle.js","/assets/shown-meanwhile-Ce7jmdXO.css","/assets/icons-Bs0ARBNS.js","/assets/value-editor-Bs32pEYb.js","/assets/value-editor--hc1I7dR.css","/assets/value-Bt5dX-cg.js","/assets/value-Dge1Pjxo.css","/assets/words-CFTp5pt3.js","/assets/direction-COdUsXGH.js","/assets/row-height-C0UvQ4If.js"]],["/dashboards/[^/]+(/.*)?",["/assets/dashboard-page-D2fBaaR3.js","/assets/icons-Bs0ARBNS.js","/assets/use-dashboards-C_CYjX--.js","/assets/use-dashboards-D5tofRZ1.css","/assets/value-text-CWR5kjd3.js"]],["/lists/[^/]+(/.*)?",["/assets/list-entries-page-BLqjQbam.js","/assets/icons-Bs0ARBNS.js","/assets/lists.module-BCaK62dX.js","/assets/lists-g7ecWEvu.css","/assets/value-editor-Bs32pEYb.js","/assets/value-editor--hc1I7dR.css","/assets/value-Bt5dX-cg.js","/assets/value-Dge1Pjxo.css"]],["/import/[^/]+(/.*)?",["/assets/import-page-Byy6SZXE.js","/assets/icons-Bs0ARBNS.js","/assets/read-file-dPWwF8IG.js","/assets/read-file-DnNH4G_g.css","/assets/value-text-CWR5kjd3.js","/assets/save-file-Ditcmzjl.js"]],["/home(/.*)?",["/assets/home-page-D6GxKwOY.js","/assets/home-page--3CczgM1.css","/assets/meeting-data-DtdP19xI.js","/assets/notification-row-ggNp2MKO.js","/assets/notification-row-CFO-YrFB.css","/assets/icons-Bs0ARBNS.js","/assets/use-open-record-D0HZrFZv.js","/assets/in-sentence-G8KTgafj.js","/assets/task-row-BbfjFHvG.js","/assets/use-task-writes-jAhiP3rM.js","/assets/use-task-writes-Cw5V8Lea.css"]],["/inbox(/.*)?",["/assets/inbox-page-DdzIHsuL.js","/assets/reply-form-BD1yX5ib.js","/assets/reply-form-CovtpZk1.css","/assets/icons-Bs0ARBNS.js","/assets/contact-of-WVR4M2RD.js","/assets/use-more-at-end-D1FBViYr.js","/assets/task-composer-ZRpV2SK3.js","/assets/use-task-writes-jAhiP3rM.js","/assets/use-task-writes-Cw5V8Lea.css"]],["/tasks(/.*)?",["/assets/tasks-page-CJ984pzA.js","/assets/tasks-page-BcKza3pT.css","/assets/icons-Bs0ARBNS.js","/assets/no-access-DRbdiAt8.js","/assets/task-composer-ZRpV2SK3.js","/assets/use-task-writes-jAhiP3rM.js","/assets/use-task-writes-Cw5V8Lea.css","/assets/use-more-at-end-D1FBViYr.js","/assets/task-row-BbfjFHvG.js"]],["/calendar(/.*)?",["/assets/calendar-page-CqL4md_6.js","/assets/calendar-page-C7T9AoKT.css","/assets/meeting-data-DtdP19xI.js","/assets/icons-Bs0ARBNS.js","/assets/task-composer-ZRpV2SK3.js","/assets/use-task-writes-jAhiP3rM.js","/assets/use-task-writes-Cw5V8Lea.css","/assets/direction-COdUsXGH.js"]],["/notifications(/.*)?",["/assets/notifications-page-MxCgUzUA.js","/assets/use-more-at-end-D1FBViYr.js","/assets/notification-row-ggNp2MKO.js","/assets/notification-row-CFO-YrFB.css","/assets/icons-Bs0ARBNS.js","/assets/use-open-record-D0HZrFZv.js","/assets/in-sentence-G8KTgafj.js"]],["/dashboards(/.*)?",["/assets/dashboards-page-LIh5r169.js","/assets/new-by-name-Ls50ztry.js","/assets/use-dashboards-C_CYjX--.js","/assets/use-dashboards-D5tofRZ1.css"]],["/lists(/.*)?",["/assets/lists-page-0IRUhKbk.js","/assets/new-by-name-Ls50ztry.js","/assets/lists.module-BCaK62dX.js","/assets/lists-g7ecWEvu.css"]],["/duplicates(/.*)?",["/assets/duplicates-page-BZzrINM7.js","/assets/duplicates-page-TqTIGCzA.css","/assets/icons-Bs0ARBNS.js","/assets/value-Bt5dX-cg.js","/assets/value-Dge1Pjxo.css"]],["/agents(/.*)?",["/assets/agents-page-Bm7uziCC.js","/assets/agents-page-DIzkDFsZ.css","/assets/icons-Bs0ARBNS.js","/assets/value-text-CWR5kjd3.js"]],["/import(/.*)?",["/assets/imports-page-DnZpCroD.js","/assets/read-file-dPWwF8IG.js","/assets/read-file-DnNH4G_g.css"]],["/settings(/.*)?",["/assets/settings-page-gf-ZSuKs.js","/assets/icons-Bs0ARBNS.js","/assets/pages-DHm-oQET.js","/assets/settings.module-D3v855w2.js","/assets/settings-UzL6V7i_.css"]]],"others":["/assets/code-block-B4yhEaGh.js","/assets/code-block-FkKBZDUO.css","/assets/contact-of-WVR4M2RD.js","/assets/direction-COdUsXGH.js","/assets/field-form-DHGhlAUu.js","/assets/field-form-WDBlqgMW.css","/assets/icons-Bs0ARBNS.js","/assets/in-sentence-G8KTgafj.js","/assets/key-list-BJ51FzF0.js","/assets/key-list-mpYJxI-Z.css","/assets/last-use-BNH5hz2K.js","/assets/lists-g7ecWEvu.css","/assets/lists.module-BCaK62dX.js","/assets/meeting-data-DtdP19xI.js","/assets/menu-BeElnPb7.css","/assets/menu-DRD4sbPF.js","/assets/new-by-name-Ls50ztry.js","/assets/no-access-DRbdiAt8.js","/assets/no-object-DNxdLTKH.js","/assets/notification-row-CFO-YrFB.css","/assets/notification-row-ggNp2MKO.js","/assets/pages-DHm-oQET.js","/assets/people-data-BEUB3q4C.js","/assets/read-file-DnNH4G_g.css","/assets/read-file-dPWwF8IG.js","/assets/read-only-Bj4SQ3bz.js","/assets/reply-form-BD1yX5ib.js","/assets/reply-form-CovtpZk1.css","/assets/row-height-C0UvQ4If.js","/assets/save-file-Ditcmzjl.js","/assets/setting-BOqyLvgs.js","/assets/setting-list-CqHeIeWb.js","/assets/setting-table-DglV3HWS.js","/assets/setting-texts-C5n8EksZ.js","/assets/settings-UzL6V7i_.css","/assets/settings.module-D3v855w2.js","/assets/shown-meanwhile-Ce7jmdXO.css","/assets/shown-meanwhile-Cj1o1dle.js","/assets/task-composer-ZRpV2SK3.js","/assets/task-row-BbfjFHvG.js","/assets/use-dashboards-C_CYjX--.js","/assets/use-dashboards-D5tofRZ1.css","/assets/use-more-at-end-D1FBViYr.js","/assets/use-open-record-D0HZrFZv.js","/assets/use-task-writes-Cw5V8Lea.css","/assets/use-task-writes-jAhiP3rM.js","/assets/value-Bt5dX-cg.js","/assets/value-Dge1Pjxo.css","/assets/value-editor--hc1I7dR.css","/assets/value-editor-Bs32pEYb.js","/assets/value-text-CWR5kjd3.js","/assets/words-CFTp5pt3.js","/assets/agents-page-Bm7uziCC.js","/assets/agents-page-DIzkDFsZ.css","/assets/assistant-COrc5I-0.js","/assets/going-BX8-jTfN.js","/assets/going-bkqJwWo1.css","/assets/key-sheet-DUfEpmjh.js","/assets/palette-D9hUqbv5.js","/assets/palette-z3M5P7nW.css","/assets/person-choices-CCPiC-sQ.js","/assets/board-DW3X9UPQ.js","/assets/board-BtkhCY1K.css","/assets/calendar-page-CqL4md_6.js","/assets/calendar-page-C7T9AoKT.css","/assets/dashboard-page-D2fBaaR3.js","/assets/dashboards-page-LIh5r169.js","/assets/delete-dashboard-BDEmOZQH.js","/assets/new-chart-M38QK-BM.js","/assets/duplicates-page-BZzrINM7.js","/assets/duplicates-page-TqTIGCzA.css","/assets/home-page-D6GxKwOY.js","/assets/home-page--3CczgM1.css","/assets/german-DYrDIsSN.js","/assets/import-page-Byy6SZXE.js","/assets/imports-page-DnZpCroD.js","/assets/inbox-page-DdzIHsuL.js","/assets/new-mail-DFsh7SmI.js","/assets/thread-marks-0IRD6uHp.js","/assets/list-entries-page-BLqjQbam.js","/assets/lists-page-0IRUhKbk.js","/assets/notifications-page-MxCgUzUA.js","/assets/add-related-BjTTC7j3.js","/assets/add-to-list-DVafQk8m.js","/assets/history-dialog-CiKs9DzT.js","/assets/history-dialog-B-ueuZdd.css","/assets/record-menu-CuYEkHz0.js","/assets/record-page-DwzFy3Ln.js","/assets/record-page-DMkx8AoS.css","/assets/list-menu-CDbcjleH.js","/assets/list-page-Tlgxyr0k.js","/assets/list-page-D_xqyly3.css","/assets/new-record-p3vWyaFh.js","/assets/trash-page-CVrXIw5Z.js","/assets/trash-page-BCfhwtIE.css","/assets/rename-view-C_2J3r2h.js","/assets/accounts-page-Dh-buaD_.js","/assets/accounts-page-CEQdo-lO.css","/assets/apps-page-DLjoMzCI.js","/assets/audit-page-vBFy2aI3.js","/assets/audit-page-Tg7SW5V4.css","/assets/keyboard-page-oiPrpwAQ.js","/assets/organization-page-CnVRCQjf.js","/assets/people-page-Cwknwdra.js","/assets/roles-page-D15p4dpf.js","/assets/settings-page-gf-ZSuKs.js","/assets/tokens-page-nB3BmHrO.js","/assets/tokens-page-7CRX_wOw.css","/assets/you-page-DYyaj9wo.js","/assets/due-popover-B5i9ao3I.js","/assets/person-picker-BAEF4zEZ.js","/assets/record-picker-CgdVd4Zu.js","/assets/tasks-page-CJ984pzA.js","/assets/tasks-page-BcKza3pT.css","/assets/pop-over-B92eNWtw.js"]};
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

/** Previews of mails say what is new in them, as the programs of the data write their replies. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ownWords } from '../../src/records/conversations/own-words.ts';
import { readMail } from '../../src/channels/mail/read-mail.ts';

const hello = 'android aol apple_mail apple_mail_2 comcast gmail hotmail outlook sparrow yahoo'.split(' ');
const folder = new URL('../../../shared/data/email/replies/', import.meta.url);

describe('the own words of a mail', () => {
  it('are the reply alone, whichever program wrote it', async (context) => {
    context.skip(!existsSync(folder), 'the shared data is not beside the project');
    const said: Record<string, string> = {};
    for (const file of readdirSync(folder).filter((name) => name.endsWith('.eml'))) {
      const { plain } = await readMail(readFileSync(new URL(file, folder)));
      said[file] = ownWords(plain).trim().slice(0, 20);
    }
    // One is broken: it quotes and answers in one line. In two, nothing tells where an answer ends.
    expect(said).toEqual({
      ...Object.fromEntries(hello.map((name) => [`${name}.eml`, 'Hello'])),
      'iphone.eml': 'Hello\n\nSent from my ',
      'reply-quotations-share-block.eml': 'Hi Katharine.\u00a0 Sound',
      'thunderbird.eml': 'On 04/02/2012 06:26 ',
    });
  });

  it('are all that is there where a mail only forwards, and answers between what is quoted', () => {
    const forwarded = '---- Forwarded ----\nFrom: Bob\nSent: today\nSubject: Offer\n\nHello';
    expect(ownWords(forwarded)).toBe(forwarded);
    expect(ownWords('> only this')).toBe('> only this');
    const between = 'Am 3. Mai 2026 um 10:00 schrieb Bob\n<bob@globex.test>:\n> When?\nAt ten.\n> Where?\nHere:\n';
    expect(ownWords(between)).toBe('At ten.\nHere:');
    expect(ownWords('Three things:\n> quoted')).toBe('Three things:');
    expect(ownWords('Yes.\n\nVon: Bob\nGesendet: heute\nAn: Ada\nBetreff: Angebot\n\nGeht das?')).toBe('Yes.');
    expect(ownWords('From: here to there.\nThat is all.')).toBe('From: here to there.\nThat is all.');
  });
});

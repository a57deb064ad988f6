// Writes the table of public holidays to the given file, with data of npm's `date-holidays` for
// each country and year. Run it in the folder that has its `node_modules`. Each line is a country:
// its code, its name, the days of its weekend (1 is Monday), and for each year, separated by
// commas, its holidays. A holiday is two digits of base 36, counted from 1 January as 0. The first
// line has the first and the last year.
import { createRequire } from "node:module";
import { writeFileSync } from "node:fs";

const require = createRequire(`${process.cwd()}/`);
const Holidays = require("date-holidays");
const [, , out, first, last] = process.argv;
const DAY_MS = 86_400_000;

const dayOf = (words) => {
  const [year, month, day] = words.slice(0, 10).split("-").map(Number);
  return Date.UTC(year, month - 1, day);
};

// These are business days: half holidays, such as New Year's Eve in Iceland, and holidays for some
// people only, such as Children's Day in China or the feasts of one faith in Kenya.
const HALF_MS = 20 * 3_600_000;
const FOR_SOME = /^(?:only )?for |^(?:women|youth|children|military|orthodox)\b/i;
const isFree = ({ type, start, end, note = "" }) => type === "public" && end - start >= HALF_MS && !FOR_SOME.test(note);

// The days that are free for everyone: a holiday that ends at midnight does not cover the next day.
const daysOff = (calendar, year) => {
  const begin = Date.UTC(year, 0, 1);
  const days = new Set();
  for (const { date, start, end } of calendar.getHolidays(year).filter(isFree)) {
    const length = Math.max(1, Math.round((end - start) / DAY_MS));
    for (let day = 0; day < length; day += 1) {
      const number = (dayOf(date) - begin) / DAY_MS + day;
      if (number >= 0 && begin + number * DAY_MS < Date.UTC(year + 1, 0, 1)) days.add(number);
    }
  }
  return [...days].sort((a, b) => a - b).map((day) => day.toString(36).padStart(2, "0")).join("");
};

const weekend = (country) => {
  const locale = new Intl.Locale(`und-${country}`);
  return (locale.getWeekInfo?.() ?? locale.weekInfo).weekend.join("");
};

const names = new Holidays().getCountries("en");
const lines = [`${first} ${last}`];
for (const country of Object.keys(names).sort()) {
  const calendar = new Holidays(country);
  const years = [];
  for (let year = Number(first); year <= Number(last); year += 1) years.push(daysOff(calendar, year));
  lines.push([country, names[country], weekend(country), years.join(",")].join("\t"));
}
writeFileSync(out, `${lines.join("\n")}\n`);

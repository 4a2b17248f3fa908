const number = new Intl.NumberFormat('en');

export const UNITS = {
  justNow: 'just now',
  secondsAgo: (n: number) => `${n} s ago`,
  minutesAgo: (n: number) => `${n} min ago`,
  hoursAgo: (n: number) => `${n} h ago`,
  daysAgo: (n: number) => `${number.format(n)} ${n === 1 ? 'day' : 'days'} ago`,
};

package dev.heatline.server.query;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A moment somebody wrote: a time, or how long ago. */
sealed interface Moment {

    /**
     * The time that is meant.
     *
     * @param step what moves with time moves by this much at once
     */
    Instant at(Instant now, Duration step);

    /** How long ago it is, if it moves with time; else nothing. */
    Duration age();

    /** A moment that stays where it is. */
    record Fixed(Instant time) implements Moment {
        @Override
        public Instant at(Instant now, Duration step) {
            return time;
        }

        @Override
        public Duration age() {
            return Duration.ZERO;
        }
    }

    /** So long ago; those who ask within a step of time ask for the same. */
    record Ago(Duration age) implements Moment {
        @Override
        public Instant at(Instant now, Duration step) {
            long seconds = now.minus(age).getEpochSecond();
            return Instant.ofEpochSecond(seconds - Math.floorMod(seconds, step.toSeconds()));
        }
    }

    Moment NOW = new Ago(Duration.ZERO);

    Pattern AGO = Pattern.compile("now-(\\d{1,6})([smhdw])");
    Pattern MILLIS = Pattern.compile("\\d{1,15}");
    Map<String, Duration> UNITS =
            Map.of(
                    "s", Duration.ofSeconds(1),
                    "m", Duration.ofMinutes(1),
                    "h", Duration.ofHours(1),
                    "d", Duration.ofDays(1),
                    "w", Duration.ofDays(7));

    /**
     * Reads milliseconds since 1970, an ISO time or date in UTC, {@code now} or {@code now-1h}.
     *
     * @throws QueryException if it is none of them
     */
    static Moment parse(String name, String written) {
        if (written.equals("now")) {
            return NOW;
        }
        Matcher ago = AGO.matcher(written);
        if (ago.matches()) {
            Duration unit = UNITS.getOrDefault(ago.group(2), Duration.ZERO);
            return new Ago(unit.multipliedBy(Long.parseLong(ago.group(1))));
        }
        if (MILLIS.matcher(written).matches()) {
            return new Fixed(Instant.ofEpochMilli(Long.parseLong(written)));
        }
        try {
            return new Fixed(
                    written.indexOf('T') < 0
                            ? LocalDate.parse(written).atStartOfDay(ZoneOffset.UTC).toInstant()
                            : Instant.parse(written));
        } catch (DateTimeException e) {
            throw QueryException.badRequest(
                    name
                            + " "
                            + Params.shortened(written)
                            + " is no time: write now-1h, 2026-11-15T10:00:00Z, 2026-11-15 or"
                            + " milliseconds since 1970");
        }
    }
}

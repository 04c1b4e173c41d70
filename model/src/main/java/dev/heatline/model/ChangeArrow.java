package dev.heatline.model;

/**
 * How a change of method time is drawn (000 §3.4.3, table 3.2): pointing down in green for an
 * improvement, level in blue for no change, up in red for a regression.
 *
 * @param angle degrees, 90 for half the time or less, −90 for twice the time or more
 */
public record ChangeArrow(double angle) {
    private static final double STEEPEST = 90;

    /** Listing 3.6, with the relative change compared with 1 as table 3.2 has it. */
    public static ChangeArrow of(double baselineTime, double currentTime) {
        if (baselineTime == 0 || currentTime == 0) {
            double appeared = currentTime == 0 ? 0 : -STEEPEST / 2;
            double vanished = baselineTime == 0 ? 0 : STEEPEST / 2;
            return new ChangeArrow(appeared + vanished);
        }
        double ratio = Math.clamp(currentTime / baselineTime, 0.5, 2);
        return new ChangeArrow(STEEPEST * (ratio >= 1 ? 1 - ratio : 1 / ratio - 1));
    }

    /** 0 to 255. */
    public int red() {
        return angle < 0 ? strength() : 0;
    }

    /** 0 to 255. */
    public int green() {
        return angle < 0 ? 0 : strength();
    }

    /** 0 to 255. */
    public int blue() {
        return 255 - strength();
    }

    private int strength() {
        return (int) Math.round(Math.abs(angle) / STEEPEST * 255);
    }
}

package dev.heatline.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The reports of 004's running example, in full. */
class ArcflowReportsTest {

    @Test
    void xprofIsSortedByBaseAndThenCum() {
        assertThat(written(View.XPROF, Form.TEXT))
                .isEqualTo(
                        """
                        xprof: flat profile by method; cpu, total 10.000 s
                        12 of 12 calls, thread AC_test_pidtid

                        calls  base s  base %   cum s   cum %  method
                            3   3.000   30.00   9.000   90.00  B
                            2   2.000   20.00   9.000   90.00  A
                            2   2.000   20.00   2.000   20.00  C
                            1   1.000   10.00   1.000   10.00  E
                            1   1.000   10.00   1.000   10.00  F
                            1   1.000   10.00   1.000   10.00  G
                            1   0.000    0.00  10.000  100.00  Main
                            1   0.000    0.00   3.000   30.00  X
                        """);
    }

    @Test
    void xarcShowsEveryConsumerBetweenItsParentsAndChildren() {
        assertThat(written(View.XARC, Form.TEXT))
                .isEqualTo(
                        """
                        xarc: parents and children of each method; cpu, total 10.000 s
                        12 of 12 calls, thread AC_test_pidtid

                                calls  base s  base %   cum s   cum %  method
                        =====================================================
                        parent      1   0.000    0.00  10.000  100.00    AC_test_pidtid
                        self        1   0.000    0.00  10.000  100.00  Main
                        child       1   1.000   10.00   6.000   60.00    B
                        child       1   1.000   10.00   4.000   40.00    A
                        =====================================================
                        parent      1   1.000   10.00   6.000   60.00    Main
                        parent      2   2.000   20.00   3.000   30.00    A
                        self        3   3.000   30.00   9.000   90.00  B
                        child       1   1.000   10.00   5.000   50.00    A
                        child       1   1.000   10.00   1.000   10.00    C
                        =====================================================
                        parent      1   1.000   10.00   5.000   50.00    B
                        parent      1   1.000   10.00   4.000   40.00    Main
                        self        2   2.000   20.00   9.000   90.00  A
                        child       2   2.000   20.00   3.000   30.00    B
                        child       1   0.000    0.00   3.000   30.00    X
                        child       1   1.000   10.00   1.000   10.00    C
                        =====================================================
                        parent      1   0.000    0.00   3.000   30.00    A
                        self        1   0.000    0.00   3.000   30.00  X
                        child       1   1.000   10.00   1.000   10.00    E
                        child       1   1.000   10.00   1.000   10.00    F
                        child       1   1.000   10.00   1.000   10.00    G
                        =====================================================
                        parent      1   1.000   10.00   1.000   10.00    A
                        parent      1   1.000   10.00   1.000   10.00    B
                        self        2   2.000   20.00   2.000   20.00  C
                        =====================================================
                        parent      1   1.000   10.00   1.000   10.00    X
                        self        1   1.000   10.00   1.000   10.00  E
                        =====================================================
                        parent      1   1.000   10.00   1.000   10.00    X
                        self        1   1.000   10.00   1.000   10.00  F
                        =====================================================
                        parent      1   1.000   10.00   1.000   10.00    X
                        self        1   1.000   10.00   1.000   10.00  G
                        =====================================================
                        """);
    }

    @Test
    void xtreeShowsEveryContextBelowItsThread() {
        assertThat(written(View.XTREE, Form.TEXT))
                .isEqualTo(
                        """
                        xtree: calling contexts; cpu, total 10.000 s
                        12 of 12 calls, thread AC_test_pidtid

                        level  calls  base s  base %   cum s   cum %  method
                            0      0   0.000    0.00  10.000  100.00  AC_test_pidtid
                            1      1   0.000    0.00  10.000  100.00  Main
                            2      1   1.000   10.00   6.000   60.00  ├ B
                            3      1   1.000   10.00   5.000   50.00  │ A
                            4      1   0.000    0.00   3.000   30.00  │ ├ X
                            5      1   1.000   10.00   1.000   10.00  │ │ ├ E
                            5      1   1.000   10.00   1.000   10.00  │ │ ├ F
                            5      1   1.000   10.00   1.000   10.00  │ │ └ G
                            4      1   1.000   10.00   1.000   10.00  │ └ C
                            2      1   1.000   10.00   4.000   40.00  └ A
                            3      2   2.000   20.00   3.000   30.00    B
                            4      1   1.000   10.00   1.000   10.00    C
                        """);
    }

    @Test
    void jsonKeepsTheContract() {
        assertThat(written(View.XPROF, Form.JSON))
                .startsWith(
                        """
                        {"view":"xprof","consumer":"method","occurrences":"calls",\
                        "resource":{"name":"cpu","unit":"s"},"total":10.0,\
                        """)
                .contains(
                        """
                        {"consumer":"A","calls":2,"base":2.0,"cum":9.0,\
                        "basePercent":20.0,"cumPercent":90.0}\
                        """);
        assertThat(written(View.XTREE, Form.JSON))
                .contains(
                        """
                        {"path":["AC_test_pidtid","Main","A"],"depth":2,"calls":1,"base":1.0,\
                        "cum":4.0,"basePercent":10.0,"cumPercent":40.0}\
                        """);
        assertThat(written(View.XARC, Form.JSON))
                .contains(
                        """
                        {"self":{"consumer":"X","calls":1,"base":0.0,"cum":3.0,\
                        "basePercent":0.0,"cumPercent":30.0,"methodTime":0.3,"selfTime":0.0,\
                        "threads":[{"thread":"AC_test_pidtid","threadTime":1.0}]},\
                        "parents":[{"consumer":"A","calls":1,"base":0.0,"cum":3.0,\
                        "basePercent":0.0,"cumPercent":30.0,"callerTime":1.0}],\
                        "children":[{"consumer":"E","calls":1,"base":1.0,"cum":1.0,\
                        "basePercent":10.0,"cumPercent":10.0,"calleeTime":0.3333333333333333},\
                        """);
    }

    private static String written(View view, Form form) {
        return Written.as(form, view.of(ArcflowExample.profile(), ReportOptions.DEFAULTS));
    }
}

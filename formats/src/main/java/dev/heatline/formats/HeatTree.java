package dev.heatline.formats;

import dev.heatline.model.Profile;

/** The nodes of a .heat file, decoded; see heat.proto. */
final class HeatTree {
    final int[] parent;
    final int[] consumer;
    final int[] site;

    HeatTree(HeatMessage message, int consumerCount) {
        int nodes = message.smallNumber(1);
        PackedColumn ups = message.column(2, "levels");
        PackedColumn consumers = message.column(3, "consumers");
        PackedColumn sites = message.column(4, "sites");
        ups.checkHolds(nodes);
        consumers.checkHolds(nodes);
        sites.checkHolds(nodes);
        parent = new int[nodes + 1];
        consumer = new int[nodes + 1];
        site = new int[nodes + 1];
        parent[0] = Profile.NO_NODE;
        HeatPrediction prediction = new HeatPrediction(consumerCount);
        for (int node = 1; node <= nodes; node++) {
            int elder = Profile.NO_NODE;
            int above = node - 1;
            for (int up = ups.next(); up != 0 && above > 0; up--) {
                elder = above;
                above = parent[above];
            }
            parent[node] = above;
            int code = consumers.next();
            int id =
                    elder == Profile.NO_NODE
                            ? prediction.consumer(consumer[above], code)
                            : consumer[elder] + code;
            if (id < 0 || id >= consumerCount) {
                throw consumers.wrong("names no consumer at node " + node);
            }
            consumer[node] = id;
            if (elder != Profile.NO_NODE && consumer[elder] == id) {
                site[node] = site[elder] + sites.next();
                prediction.sawSite(id, site[node]);
            } else {
                site[node] = prediction.site(id, sites.next());
            }
        }
        ups.checkEnd();
        consumers.checkEnd();
        sites.checkEnd();
    }
}

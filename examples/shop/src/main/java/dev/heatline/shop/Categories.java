package dev.heatline.shop;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The tree of categories. Known trouble: direct recursion, in {@link #addBelow}. */
final class Categories {
    private final Map<Integer, List<Integer>> children = new HashMap<>();

    Categories(Database database) throws SQLException {
        try (Connection connection = database.connect();
                PreparedStatement select =
                        connection.prepareStatement("select id, parent from category order by id");
                ResultSet rows = select.executeQuery()) {
            while (rows.next()) {
                int id = rows.getInt(1);
                children.computeIfAbsent(id, any -> new ArrayList<>());
                if (rows.getInt(2) != id) {
                    children.computeIfAbsent(rows.getInt(2), any -> new ArrayList<>()).add(id);
                }
            }
        }
    }

    /** A category and all below it. */
    List<Integer> below(int category) {
        List<Integer> found = new ArrayList<>();
        addBelow(category, found);
        return found;
    }

    private void addBelow(int category, List<Integer> found) {
        List<Integer> next = children.get(category);
        if (next == null) {
            throw RequestException.notFound("there is no category " + category);
        }
        found.add(category);
        for (int child : next) {
            addBelow(child, found);
        }
    }
}

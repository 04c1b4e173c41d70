package dev.heatline.bench.workload;

import java.io.StringReader;
import java.io.StringWriter;
import java.util.Random;
import javax.xml.transform.Templates;
import javax.xml.transform.TransformerException;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.stream.StreamResult;
import javax.xml.transform.stream.StreamSource;

/** A style-sheet processor (Xalan): a list of articles becomes a page. */
final class Styles implements Unit {
    private static final String SHEET =
            """
            <xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
            <xsl:template match="/"><html><xsl:apply-templates select="//item"/></html>
            </xsl:template>
            <xsl:template match="item"><p><xsl:value-of select="@name"/>
            <xsl:for-each select="part"><xsl:sort select="@price" data-type="number"/>
            <b><xsl:value-of select="concat(@name, ': ', @price * 2)"/></b></xsl:for-each>
            <xsl:if test="count(part) &gt; 3"><xsl:call-template name="total"/></xsl:if></p>
            </xsl:template>
            <xsl:template name="total"><i><xsl:value-of select="sum(part/@price)"/></i>
            </xsl:template></xsl:stylesheet>
            """;

    private final Templates templates;
    private final int items;

    Styles(int items) throws TransformerException {
        this.items = items;
        templates =
                TransformerFactory.newInstance()
                        .newTemplates(new StreamSource(new StringReader(SHEET)));
    }

    @Override
    public void run(Random random) throws TransformerException {
        StringBuilder input = new StringBuilder("<shop>");
        for (int i = 0; i < items; i++) {
            input.append("<item name='i").append(i).append("'>");
            for (int j = random.nextInt(8); j > 0; j--) {
                input.append("<part name='p").append(j).append("' price='");
                input.append(random.nextInt(100)).append("'/>");
            }
            input.append("</item>");
        }
        templates
                .newTransformer()
                .transform(
                        new StreamSource(new StringReader(input.append("</shop>").toString())),
                        new StreamResult(new StringWriter()));
    }
}
